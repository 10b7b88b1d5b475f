import type { AssistantBlock, Message } from '@agent-spine/model'
import { describe, expect, it } from 'vitest'
import {
  answers,
  asks,
  callBlock,
  chunk,
  openStep,
  results,
  says,
  textBlock,
  userMessage,
} from '../test/conversation.js'
import { deriveMessages } from './derive.js'
import { EventRefusedError } from './errors.js'
import type { EventDraft, SessionEvent } from './event.js'

const image: AssistantBlock = {
  type: 'image',
  mediaType: 'image/png',
  data: { kind: 'url', url: 'https://x.test/a' },
}
const reasoning = (text: string): AssistantBlock => ({ type: 'reasoning', text })
const signed = (text: string): AssistantBlock => ({ type: 'reasoning', text, replay: { signature: 's' } })

function derived(content: readonly AssistantBlock[], interrupted = false): Message | undefined {
  const draft = answers('a', ...content)
  const data = interrupted ? { ...draft.data, interrupted: true as const } : draft.data
  const session = openStep({ type: 'assistant/message', data })
  expect(session.events).toHaveLength(3)
  const [message, ...rest] = session.deriveMessages()
  expect(rest).toEqual([])
  expect(deriveMessages(session.events)).toEqual(message === undefined ? [] : [message])
  return message
}

describe('M1: messages are shared with the log, frozen, in surface order', () => {
  it('hands out the very objects of the events', () => {
    const session = openStep(says('u'), asks('a', 'c'), chunk('off the surface'), results('c'))
    const messages = session.deriveMessages()
    const events = session.events as readonly SessionEvent<'user/message'>[]
    expect(messages).toHaveLength(3)
    expect(messages[0]).toBe(events[2]?.data.message)
    expect(messages[1]).toBe(events[3]?.data.message)
    expect(messages[2]).toBe(events[5]?.data.message)
  })

  it('hands out one frozen array until the surface changes, and never changes it afterwards', () => {
    const session = openStep(says('u'))
    const before = session.deriveMessages()
    session.appendAll([chunk('x')])
    expect(session.deriveMessages()).toBe(before)
    expect(Object.isFrozen(before)).toBe(true)
    session.appendAll([says('v')])
    expect(before).toHaveLength(1)
    expect(session.deriveMessages()).toHaveLength(2)
    expect(session.deriveMessages()[0]).toBe(before[0])
  })

  it('gives the pure function an array of its own', () => {
    const { events } = openStep(says('u'))
    deriveMessages(events).pop()
    expect(deriveMessages(events)).toHaveLength(1)
  })
})

describe('M2: what providers refuse is left out', () => {
  it.each(['', ' ', '\n\t ', '\u00a0\u2003\ufeff'])('drops the text %j of an assistant message', text => {
    const message = derived([textBlock(text), textBlock('kept'), textBlock(text)])
    expect(message).toEqual({ ...answers('a').data.message, content: [textBlock('kept')] })
    expect(Object.isFrozen(message) && Object.isFrozen(message?.content)).toBe(true)
  })

  it('keeps text with anything visible as it is, white space included', () => {
    expect(derived([textBlock(' \n x ')])?.content).toEqual([textBlock(' \n x ')])
  })

  it('keeps reasoning of a whole message, and only replayable reasoning of an interrupted one', () => {
    const content = [reasoning('a'), signed('b'), textBlock('c')]
    expect(derived(content)?.content).toEqual(content)
    expect(derived(content, true)?.content).toEqual([signed('b'), textBlock('c')])
  })

  it.each([
    { name: 'nothing', content: [], interrupted: false },
    { name: 'white space', content: [textBlock(' ')], interrupted: false },
    { name: 'reasoning', content: [reasoning('a'), signed('b')], interrupted: false },
    { name: 'reasoning and white space', content: [signed('a'), textBlock('\n')], interrupted: true },
  ])('does not derive a message of $name', ({ content, interrupted }) => {
    expect(derived(content, interrupted)).toBeUndefined()
  })

  it('derives a message of an image, or of a call, alone', () => {
    expect(derived([textBlock(''), image])?.content).toEqual([image])
    expect(derived([reasoning('why'), callBlock('c')])?.content).toEqual([reasoning('why'), callBlock('c')])
  })

  it('never touches a user message or a result', () => {
    const blank = userMessage('u', [textBlock(' ')])
    expect(openStep({ type: 'user/message', data: { message: blank } }).deriveMessages()).toEqual([blank])
  })
})

it('M3: a trimmed message is the same object after a surface rewrite', () => {
  const session = openStep(says('u'), answers('a', textBlock(' '), textBlock('b')), says('v'))
  const trimmed = session.deriveMessages()[1]
  const replace: EventDraft = { ...says('s'), surfaceOp: { replace: { start: 2, end: 2 } } }
  session.appendAll([replace])
  expect(session.deriveMessages().map(({ id }) => id)).toEqual(['s', 'a', 'v'])
  expect(session.deriveMessages()[1]).toBe(trimmed)
})

it('can be replaced although it derives to nothing', () => {
  const session = openStep(says('u'), answers('blank', textBlock('')), says('v'))
  session.appendAll([{ ...says('s'), surfaceOp: { replace: { start: 3, end: 3 } } }])
  expect(session.deriveMessages().map(({ id }) => id)).toEqual(['u', 's', 'v'])
})

it('the pure function names the event of a log that no session would hold', () => {
  const event = {
    ...says('x'),
    seq: 0,
    time: 0,
    surfaceOp: { replace: { start: 7, end: 7 } },
  } as SessionEvent
  expect(() => deriveMessages([event])).toThrow(EventRefusedError)
  expect(() => deriveMessages([event])).toThrow(
    'user/message at seq 0 is refused: seq 7 is not on the surface',
  )
})

it('the pure function takes a surface event without surfaceOp as appended', () => {
  const event = { ...says('x'), seq: 0, time: 0 } as SessionEvent
  expect(deriveMessages([event])).toEqual([userMessage('x')])
})
