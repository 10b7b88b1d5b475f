import { describe, expect, it } from 'vitest'
import { chunk, openStep, says } from '../test/conversation.js'

const ids = (messages: Iterable<{ readonly id: string }>) => [...messages].map(({ id }) => id)

describe('M4: a conversation that was handed out', () => {
  it('is what deriveMessages gives, by position and in order', () => {
    const session = openStep(says('u'), chunk('off the surface'), says('v'))
    const conversation = session.conversation()
    expect([...conversation]).toEqual(session.deriveMessages())
    expect([0, 1, 2, -1, -2, -3, 0.9, Number.NaN].map(index => conversation.at(index)?.id)).toEqual(
      [0, 1, 2, -1, -2, -3, 0.9, Number.NaN].map(index => session.deriveMessages().at(index)?.id),
    )
  })

  it('is the same one until the surface changes', () => {
    const session = openStep(says('u'))
    const conversation = session.conversation()
    session.appendAll([chunk('x')])
    expect(session.conversation()).toBe(conversation)
    session.appendAll([says('v')])
    expect(session.conversation()).not.toBe(conversation)
  })

  it('never changes: not by what is added, nor by a replacement', () => {
    const session = openStep(says('u'), says('v'))
    const conversation = session.conversation()
    session.appendAll([says('w')])
    const later = session.conversation()
    session.append('user/message', says('summary').data, { surfaceOp: { replace: { start: 2, end: 3 } } })
    expect([conversation.length, conversation.at(2), ids(conversation)]).toEqual([2, undefined, ['u', 'v']])
    expect(ids(later)).toEqual(['u', 'v', 'w'])
    expect(ids(session.conversation())).toEqual(['summary', 'w'])
    expect(Object.isFrozen(conversation)).toBe(true)
  })
})
