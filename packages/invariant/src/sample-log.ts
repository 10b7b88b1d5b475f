import type { AssistantBlock, ToolCallBlock, UserMessage } from '@agent-spine/model'
import type { EventDraft, SessionEvent } from '@agent-spine/session'

/** Test support: numbers drafts into a log. */
export function writeLog(drafts: readonly EventDraft[]): SessionEvent[] {
  return drafts.map((draft, seq) => ({ ...draft, seq, time: 1000 + seq }))
}

export const callBlock = (id: string): ToolCallBlock => ({
  type: 'tool-call',
  id,
  name: 'read',
  arguments: '{}',
})

export const resultMessage = (callId: string): UserMessage => ({
  id: `result_${callId}`,
  role: 'user',
  source: { kind: 'tool', callId },
  content: [{ type: 'tool-result', toolCallId: callId, content: [{ type: 'text', text: 'fine' }] }],
})

export const userDraft = (id: string): EventDraft<'user/message'> => ({
  type: 'user/message',
  data: {
    message: { id, role: 'user', source: { kind: 'user' }, content: [{ type: 'text', text: 'do it' }] },
  },
  surfaceOp: 'append',
})

export const assistantDraft = (
  step: number,
  content: readonly AssistantBlock[],
  sourceEventSeqs: readonly number[],
): EventDraft<'assistant/message'> => ({
  type: 'assistant/message',
  data: {
    turn: 0,
    step,
    message: {
      id: `assistant_0_${step}_0`,
      role: 'assistant',
      source: { kind: 'model', provider: 'acme', model: 'one' },
      content,
    },
  },
  surfaceOp: 'append',
  sourceEventSeqs,
})

const chunk = (step: number): EventDraft<'assistant/chunk'> => ({
  type: 'assistant/chunk',
  data: { turn: 0, step, attempt: 0, chunk: { type: 'text-delta', index: 0, text: 'x' } },
})

export const toolCall = (callId: string): EventDraft<'tool/call'> => ({
  type: 'tool/call',
  data: { turn: 0, step: 0, callId, name: 'read', arguments: '{}' },
})

export const dispatch = (callId: string): EventDraft<'tool/dispatch'> => ({
  type: 'tool/dispatch',
  data: { callId },
})

export const result = (callId: string, cited: number): EventDraft<'tool/result'> => ({
  type: 'tool/result',
  data: { turn: 0, step: 0, message: resultMessage(callId) },
  surfaceOp: 'append',
  sourceEventSeqs: [cited],
})

/** One turn of two steps, the first with two calls, as a loop writes it. Tests name its seqs: keep them. */
export const soundDrafts: readonly EventDraft[] = [
  { type: 'turn/start', data: { turn: 0, dispatchMarked: true } },
  { type: 'step/start', data: { turn: 0, step: 0 } },
  userDraft('user_0'),
  {
    type: 'request/header',
    data: { header: { config: { provider: 'acme', model: 'one' }, system: 'be true' }, reason: 'initial' },
  },
  { type: 'attempt/start', data: { turn: 0, step: 0, attempt: 0 } },
  chunk(0), // 5
  chunk(0), // 6
  assistantDraft(0, [{ type: 'text', text: 'xx' }, callBlock('a'), callBlock('b')], [5, 6]), // 7
  { type: 'attempt/end', data: { turn: 0, step: 0, attempt: 0 } },
  toolCall('a'), // 9
  dispatch('a'), // 10
  toolCall('b'), // 11
  dispatch('b'), // 12
  result('a', 9), // 13
  result('b', 11), // 14
  { type: 'step/end', data: { turn: 0, step: 0 } },
  { type: 'step/start', data: { turn: 0, step: 1 } }, // 16
  { type: 'attempt/start', data: { turn: 0, step: 1, attempt: 0 } },
  chunk(1), // 18
  assistantDraft(1, [{ type: 'text', text: 'x' }], [18]), // 19
  { type: 'attempt/end', data: { turn: 0, step: 1, attempt: 0 } },
  { type: 'step/end', data: { turn: 0, step: 1 } }, // 21
  { type: 'turn/end', data: { turn: 0, reason: { kind: 'completed' } } }, // 22
]
