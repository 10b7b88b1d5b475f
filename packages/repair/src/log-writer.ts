import type { StreamChunk, ToolCallBlock, UserMessage } from '@agent-spine/model'
import type { EventDraft, SessionEvent } from '@agent-spine/session'

/** Test support: numbers drafts into a log, ten milliseconds apart. */
export function writeLog(drafts: readonly EventDraft[]): SessionEvent[] {
  return drafts.map((draft, index) => ({ seq: index, time: 1000 + index * 10, ...draft }))
}

export const turnStart = (turn: number, dispatchMarked = true): EventDraft<'turn/start'> => ({
  type: 'turn/start',
  data: dispatchMarked ? { turn, dispatchMarked } : { turn },
})

export const userMessage = (id: string, text: string): EventDraft<'user/message'> => ({
  type: 'user/message',
  data: { message: { id, role: 'user', source: { kind: 'user' }, content: [{ type: 'text', text }] } },
  surfaceOp: 'append',
})

export const header: EventDraft<'request/header'> = {
  type: 'request/header',
  data: { header: { config: { provider: 'acme', model: 'one' } }, reason: 'initial' },
}

export const chunk = (piece: StreamChunk, attempt = 0): EventDraft<'assistant/chunk'> => ({
  type: 'assistant/chunk',
  data: { turn: 0, step: 0, attempt, chunk: piece },
})

export const text = (piece: string, index = 0): StreamChunk => ({ type: 'text-delta', index, text: piece })

const callBlock = (id: string): ToolCallBlock => ({
  type: 'tool-call',
  id,
  name: 'read',
  arguments: '{}',
})

/** An assistant message of turn 0, step 0 that asks for `callIds`. */
export const assistantCalls = (...callIds: string[]): EventDraft<'assistant/message'> => ({
  type: 'assistant/message',
  data: {
    turn: 0,
    step: 0,
    message: {
      id: 'assistant_0_0_0',
      role: 'assistant',
      source: { kind: 'model', provider: 'acme', model: 'one' },
      content: callIds.map(callBlock),
    },
  },
  surfaceOp: 'append',
})

export const toolCall = (callId: string, skipped = false): EventDraft<'tool/call'> => ({
  type: 'tool/call',
  data: { turn: 0, step: 0, callId, name: 'read', arguments: '{}', ...(skipped && { skipped }) },
})

export const dispatch = (callId: string): EventDraft<'tool/dispatch'> => ({
  type: 'tool/dispatch',
  data: { callId },
})

const outcome = (callId: string, answer: string): UserMessage => ({
  id: `result_${callId}`,
  role: 'user',
  source: { kind: 'tool', callId },
  content: [{ type: 'tool-result', toolCallId: callId, content: [{ type: 'text', text: answer }] }],
})

export const toolResult = (callId: string, cited: number): EventDraft<'tool/result'> => ({
  type: 'tool/result',
  data: { turn: 0, step: 0, message: outcome(callId, `answer of ${callId}`) },
  surfaceOp: 'append',
  sourceEventSeqs: [cited],
})

export const late = (callId: string, answer: string): EventDraft<'tool/late'> => ({
  type: 'tool/late',
  data: { turn: 0, step: 0, message: outcome(callId, answer), meta: { answer } },
})

export const stepStart: EventDraft<'step/start'> = { type: 'step/start', data: { turn: 0, step: 0 } }
export const stepEnd: EventDraft<'step/end'> = { type: 'step/end', data: { turn: 0, step: 0 } }
export const attemptStart = (attempt = 0): EventDraft<'attempt/start'> => ({
  type: 'attempt/start',
  data: { turn: 0, step: 0, attempt },
})
export const turnFailed: EventDraft<'turn/end'> = {
  type: 'turn/end',
  data: { turn: 0, reason: { kind: 'error', failure: { code: 'UNKNOWN', message: 'boom' } } },
}

/** A turn up to its first model call. The attempt is event 4. */
export const opened: readonly EventDraft[] = [
  turnStart(0),
  stepStart,
  userMessage('u1', 'hello'),
  header,
  attemptStart(),
]
