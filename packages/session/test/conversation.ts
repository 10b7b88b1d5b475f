import type {
  AssistantBlock,
  AssistantMessage,
  ToolCallBlock,
  UserBlock,
  UserMessage,
} from '@agent-spine/model'
import { expect } from 'vitest'
import {
  EventRefusedError,
  replaySession,
  type EventDraft,
  type EventRefusal,
  type Session,
} from '../src/index.js'

/** Builders of well-formed messages and drafts, as short as a test wants to read. */

export const step = { turn: 0, step: 0 }
export const attempt = { ...step, attempt: 0 }

export function textBlock(text: string): { readonly type: 'text'; readonly text: string } {
  return { type: 'text', text }
}

export function callBlock(id: string): ToolCallBlock {
  return { type: 'tool-call', id, name: 'look', arguments: '{}' }
}

export function userMessage(id: string, content: readonly UserBlock[] = [textBlock(id)]): UserMessage {
  return { id, role: 'user', source: { kind: 'user' }, content }
}

export function assistantMessage(id: string, content: readonly AssistantBlock[]): AssistantMessage {
  return { id, role: 'assistant', source: { kind: 'model', provider: 'p', model: 'm' }, content }
}

export function resultMessage(callId: string): UserMessage {
  return {
    id: `result_${callId}`,
    role: 'user',
    source: { kind: 'tool', callId },
    content: [{ type: 'tool-result', toolCallId: callId, content: [textBlock('done')] }],
  }
}

export function says(id: string): EventDraft<'user/message'> {
  return { type: 'user/message', data: { message: userMessage(id) } }
}

export function answers(id: string, ...content: readonly AssistantBlock[]): EventDraft<'assistant/message'> {
  return { type: 'assistant/message', data: { ...step, message: assistantMessage(id, content) } }
}

export function asks(id: string, ...callIds: readonly string[]): EventDraft<'assistant/message'> {
  return answers(id, textBlock(id), ...callIds.map(callBlock))
}

export function calls(callId: string): EventDraft<'tool/call'> {
  return { type: 'tool/call', data: { ...step, callId, name: 'look', arguments: '{}' } }
}

export function results(callId: string): EventDraft<'tool/result'> {
  return { type: 'tool/result', data: { ...step, message: resultMessage(callId) } }
}

export function chunk(text: string): EventDraft<'assistant/chunk'> {
  return { type: 'assistant/chunk', data: { ...attempt, chunk: { type: 'text-delta', index: 0, text } } }
}

/** A session in which turn 0 and its step 0 are open: seqs 0 and 1. Its clock counts from 1000. */
export function openStep(...drafts: readonly EventDraft[]): Session {
  let now = 1000
  const session = replaySession([], { id: 'test', clock: () => now++ })
  session.append('turn/start', { turn: 0 })
  session.append('step/start', step)
  for (const draft of drafts) session.appendAll([draft])
  return session
}

/** Expects the append to be refused with `code`, in words that match, and to leave no trace. */
export function expectRefused(
  session: Session,
  drafts: EventDraft | readonly EventDraft[],
  refusal: { readonly code: EventRefusal; readonly says: string | RegExp; readonly conflictSeq?: number },
): void {
  const before = JSON.stringify(session.events)
  const messages = session.deriveMessages()
  const thrown = thrownBy(() => session.appendAll('type' in drafts ? [drafts] : drafts))
  if (!EventRefusedError.is(thrown)) throw new Error('expected an EventRefusedError', { cause: thrown })
  expect(thrown.code).toBe(refusal.code)
  expect(thrown.message).toMatch(refusal.says)
  expect(thrown.conflictSeq).toBe(refusal.conflictSeq)
  expect(JSON.stringify(session.events)).toBe(before)
  expect(session.deriveMessages()).toBe(messages)
}

export function thrownBy(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  throw new Error('expected something to be thrown')
}
