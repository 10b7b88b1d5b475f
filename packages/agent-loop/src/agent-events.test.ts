import type { EventDraft, SessionEvent } from '@agent-spine/session'
import { expect, it } from 'vitest'
import { memorySession } from '../test/scenario.js'
import { agentEvent } from './agent-events.js'

const scope = { turn: 0, step: 0 }
const attempt = { ...scope, attempt: 0 }
const chunk = { type: 'text-delta', index: 0, text: 'x' } as const
const answer = {
  id: 'a',
  role: 'assistant',
  source: { kind: 'model', provider: 'p', model: 'm' },
  content: [{ type: 'text', text: 'hi' }],
} as const
const input = {
  id: 'u',
  role: 'user',
  source: { kind: 'user' },
  content: [{ type: 'text', text: 'go' }],
} as const
const result = {
  id: 'r',
  role: 'user',
  source: { kind: 'tool', callId: 'c' },
  content: [{ type: 'tool-result', toolCallId: 'c', content: [] }],
} as const
const call = { ...scope, callId: 'c', name: 'read', arguments: '{}' }
const error = { name: 'ToolError', code: 'DENIED' }

/** What is told of an event as it would stand in a log. */
function told(draft: EventDraft): unknown {
  const event = { seq: 0, time: 0, ...draft } as SessionEvent
  return agentEvent(event, [event])
}

it.each<[string, EventDraft, object]>([
  ['a chunk', { type: 'assistant/chunk', data: { ...attempt, chunk } }, { type: 'chunk', ...attempt, chunk }],
  [
    'an answer',
    { type: 'assistant/message', data: { ...scope, message: answer } },
    { type: 'message', message: answer },
  ],
  [
    'a partial answer',
    { type: 'assistant/message', data: { ...scope, message: answer, interrupted: true } },
    { type: 'message', message: answer, interrupted: true },
  ],
  ['input', { type: 'user/message', data: { message: input } }, { type: 'message', message: input }],
  ['a call that starts', { type: 'tool/call', data: call }, { type: 'tool-start', call }],
  [
    'a result',
    { type: 'tool/result', data: { ...scope, message: result } },
    { type: 'tool-end', callId: 'c', message: result },
  ],
  [
    'a result that is an error',
    { type: 'tool/result', data: { ...scope, message: result, error } },
    { type: 'tool-end', callId: 'c', message: result, error },
  ],
  [
    'an outcome that comes late',
    { type: 'tool/late', data: { ...scope, message: result, error } },
    { type: 'tool-end', callId: 'c', message: result, error, late: true },
  ],
])('%s is told with what the log has of it, and nothing else', (_, draft, expected) => {
  expect(told(draft)).toStrictEqual(expected)
})

it('a call that was skipped does not start', () => {
  expect(told({ type: 'tool/call', data: { ...call, skipped: true } })).toBeUndefined()
})

it('what only the log needs is not told', () => {
  expect(told({ type: 'step/start', data: scope })).toBeUndefined()
  expect(told({ type: 'tool/dispatch', data: { callId: 'c' } })).toBeUndefined()
})

it('the end of a turn is told with its outcome, an edit of the queue as it is', () => {
  const session = memorySession()
  session.append('turn/start', { turn: 0 })
  const end = session.append('turn/end', { turn: 0, reason: { kind: 'max-steps' } })
  expect(agentEvent(end, session.events)).toMatchObject({
    type: 'turn-end',
    outcome: { turn: 0, reason: { kind: 'max-steps' } },
  })
  const splice = { target: 'next-turn', start: 0, removed: [], inserted: [] } as never
  expect(told({ type: 'inbox/spliced', data: splice })).toStrictEqual({ type: 'inbox', splice })
})
