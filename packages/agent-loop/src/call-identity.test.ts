import type { AssistantBlock, ToolCallBlock } from '@agent-spine/model'
import { replaySession, type Session } from '@agent-spine/session'
import { describe, expect, it } from 'vitest'
import { callIdentity } from './call-identity.js'

const scope = { turn: 2, step: 1 }

function calls(...ids: string[]): ToolCallBlock[] {
  return ids.map(id => ({ type: 'tool-call', id, name: 'read', arguments: '{}' }))
}

function identified(session: Session, blocks: readonly AssistantBlock[]) {
  return callIdentity(session)
    .identify(blocks, scope)
    .flatMap(block => (block.type === 'tool-call' ? [[block.id, block.providerId]] : []))
}

/** A session whose log holds one answer with these calls, all answered. */
function sessionWith(...ids: string[]): Session {
  const session = replaySession([], { id: 'test' })
  session.append('turn/start', { turn: 0 })
  session.append('step/start', { turn: 0, step: 0 })
  session.append('assistant/message', {
    turn: 0,
    step: 0,
    message: {
      id: 'm',
      role: 'assistant',
      source: { kind: 'model', provider: 'p', model: 'm' },
      content: calls(...ids),
    },
  })
  return session
}

describe('call identity', () => {
  it('keeps an id that every provider accepts and nobody used', () => {
    expect(identified(sessionWith(), calls('call_A-1', 'b'))).toEqual([
      ['call_A-1', undefined],
      ['b', undefined],
    ])
  })

  it.each(['', 'has space', 'a/b', 'x'.repeat(65), 'é'])('replaces %j and keeps it as providerId', id => {
    const providerId = id === '' ? undefined : id
    expect(identified(sessionWith(), calls('a', id))).toEqual([
      ['a', undefined],
      ['call_2_1_1', providerId],
    ])
  })

  it('lets the first of two equal ids keep it', () => {
    expect(identified(sessionWith(), calls('a', 'a', 'a'))).toEqual([
      ['a', undefined],
      ['call_2_1_1', 'a'],
      ['call_2_1_2', 'a'],
    ])
  })

  it('replaces an id that the session used before', () => {
    expect(identified(sessionWith('a'), calls('a'))).toEqual([['call_2_1_0', 'a']])
  })

  it('makes up no id that another call has', () => {
    expect(identified(sessionWith('call_2_1_0', 'call_2_1_0_2'), calls(''))).toEqual([
      ['call_2_1_0_3', undefined],
    ])
    expect(identified(sessionWith(), calls('', 'call_2_1_0'))).toEqual([
      ['call_2_1_0_2', undefined],
      ['call_2_1_0', undefined],
    ])
  })

  it('counts calls, not blocks, and leaves other blocks alone', () => {
    const text: AssistantBlock = { type: 'text', text: 'hm' }
    const [kept, named] = callIdentity(sessionWith()).identify([text, ...calls('')], scope)
    expect(kept).toBe(text)
    expect(named).toMatchObject({ id: 'call_2_1_0' })
  })

  it('sees what was appended since', () => {
    const session = sessionWith()
    const identity = callIdentity(session)
    session.append('assistant/message', {
      turn: 0,
      step: 0,
      message: {
        id: 'm2',
        role: 'assistant',
        source: { kind: 'model', provider: 'p', model: 'm' },
        content: calls('late'),
      },
    })
    expect(identity.identify(calls('late'), scope)).toMatchObject([{ id: 'call_2_1_0', providerId: 'late' }])
  })
})
