import type { TokenUsage } from '@agent-spine/model'
import type { EventDraft, SessionEvent } from '@agent-spine/session'
import { describe, expect, it } from 'vitest'
import { memorySession } from '../test/scenario.js'
import { turnOutcome, withoutTurn } from './turn-outcome.js'

const header = { config: { provider: 'p', model: 'm' } }

function starts(turn: number): EventDraft[] {
  return [
    { type: 'turn/start', data: { turn } },
    { type: 'step/start', data: { turn, step: 0 } },
  ]
}

function attempt(turn: number, number: number, usage?: TokenUsage): EventDraft[] {
  const scope = { turn, step: 0, attempt: number }
  return [
    { type: 'attempt/start', data: scope },
    { type: 'attempt/end', data: { ...scope, ...(usage && { usage }) } },
  ]
}

function says(turn: number, ...content: readonly object[]): EventDraft {
  const source = { kind: 'model', provider: 'p', model: 'm' }
  const message = { id: `a${turn}`, role: 'assistant', source, content }
  return { type: 'assistant/message', data: { turn, step: 0, message }, surfaceOp: 'append' } as EventDraft
}

function answers(turn: number, callId: string, error?: object): EventDraft {
  const block = { type: 'tool-result', toolCallId: callId, content: [], ...(error && { isError: true }) }
  const message = { id: `r_${callId}`, role: 'user', source: { kind: 'tool', callId }, content: [block] }
  return {
    type: 'tool/result',
    data: { turn, step: 0, message, ...(error && { error }) },
    surfaceOp: 'append',
  } as EventDraft
}

function calls(turn: number, callId: string, name: string): EventDraft {
  return { type: 'tool/call', data: { turn, step: 0, callId, name, arguments: '{}' } }
}

function ends(turn: number): EventDraft[] {
  return [
    { type: 'step/end', data: { turn, step: 0 } },
    { type: 'turn/end', data: { turn, reason: { kind: 'completed' } } },
  ]
}

const asks = (id: string, name: string) => ({ type: 'tool-call', id, name, arguments: '{}' })

function logOf(...drafts: readonly EventDraft[]): readonly SessionEvent[] {
  const session = memorySession()
  session.append('request/header', { header, reason: 'initial' })
  session.appendAll(drafts)
  return session.events
}

function outcomeOf(...drafts: readonly EventDraft[]) {
  const events = logOf(...drafts)
  return turnOutcome(events, events.length - 1)
}

describe('the outcome of a turn', () => {
  it('is empty where nothing was said, called or counted', () => {
    expect(outcomeOf(...starts(0), ...ends(0))).toStrictEqual({
      turn: 0,
      reason: { kind: 'completed' },
      text: '',
      usage: { inputTokens: 0, outputTokens: 0 },
      calls: [],
    })
  })

  it('holds nothing of the turn before it', () => {
    const before = [
      ...starts(0),
      ...attempt(0, 0, { inputTokens: 5, outputTokens: 5 }),
      says(0, { type: 'text', text: 'before' }, asks('a', 'read')),
      calls(0, 'a', 'read'),
      answers(0, 'a'),
      ...ends(0),
    ]
    expect(outcomeOf(...before, ...starts(1), ...ends(1))).toStrictEqual({
      turn: 1,
      ...withoutTurn({ kind: 'completed' }),
    })
  })

  it('has the text of the last answer, without what is not text', () => {
    const last = says(
      0,
      { type: 'text', text: 'la' },
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'st' },
    )
    const first = says(0, { type: 'text', text: 'first' })
    expect(outcomeOf(...starts(0), first, last, ...ends(0)).text).toBe('last')
  })

  it('has every answered call once, in the order of results, with what went wrong', () => {
    const error = { name: 'ToolError', code: 'DENIED' }
    const outcome = outcomeOf(
      ...starts(0),
      says(0, asks('a', 'read'), asks('b', 'write')),
      calls(0, 'a', 'read'),
      calls(0, 'b', 'write'),
      answers(0, 'b', error),
      answers(0, 'a'),
      ...ends(0),
    )
    expect(outcome.calls).toStrictEqual([
      { callId: 'b', name: 'write', isError: true, error },
      { callId: 'a', name: 'read' },
    ])
  })

  it('has a call without a name where the log tells of none', () => {
    const outcome = outcomeOf(...starts(0), says(0, asks('a', 'read')), answers(0, 'a'), ...ends(0))
    expect(outcome.calls).toStrictEqual([{ callId: 'a', name: '' }])
  })

  it('sums what every attempt used, and names no counter that no attempt named', () => {
    const outcome = outcomeOf(
      ...starts(0),
      ...attempt(0, 0, { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3 }),
      ...attempt(0, 1),
      ...attempt(0, 2, { inputTokens: 10, outputTokens: 20, cacheReadTokens: 30, reasoningTokens: 0 }),
      ...ends(0),
    )
    expect(outcome.usage).toStrictEqual({
      inputTokens: 11,
      outputTokens: 22,
      cacheReadTokens: 33,
      reasoningTokens: 0,
    })
  })

  it('is interrupted where the event ends no turn, or is not there', () => {
    const events = logOf(...starts(0))
    expect(turnOutcome(events, events.length - 1)).toStrictEqual(withoutTurn({ kind: 'interrupted' }))
    expect(turnOutcome(events, 99)).toStrictEqual({
      reason: { kind: 'interrupted' },
      text: '',
      usage: { inputTokens: 0, outputTokens: 0 },
      calls: [],
    })
  })

  it('reads a log that begins inside of a turn to its first event', () => {
    const events = logOf(...starts(0), says(0, { type: 'text', text: 'cut' }), ...ends(0))
    const [, , , ...cut] = events
    expect(turnOutcome(cut, cut.length - 1).text).toBe('cut')
  })
})
