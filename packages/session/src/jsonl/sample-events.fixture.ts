import type { SessionEvent } from '../event.js'

/** Events for the tests of this folder and for the processes they start: the same seq is always the same event. */

export const header = { id: 's', createdAt: 1_700_000_000_000 }

/** An event that no run can hold. */
export function dispatchEvent(seq: number): SessionEvent {
  return { seq, time: 1_700_000_000_000 + seq, type: 'tool/dispatch', data: { callId: `call_${seq}` } }
}

/** A piece of one long answer. */
export function chunkEvent(seq: number, text: string): SessionEvent {
  const chunk = { type: 'text-delta', index: 0, text } as const
  const data = { turn: 0, step: 0, attempt: 0, chunk }
  return { seq, time: 1_700_000_000_000 + 20 * seq, type: 'assistant/chunk', data }
}

/** `count` events from `seq` on. */
export function events(seq: number, count: number): readonly SessionEvent[] {
  return Array.from({ length: count }, (_, index) => dispatchEvent(seq + index))
}

/** `count` chunks from `seq` on. */
export function chunks(seq: number, count: number, text = 'tok '): readonly SessionEvent[] {
  return Array.from({ length: count }, (_, index) => chunkEvent(seq + index, text))
}
