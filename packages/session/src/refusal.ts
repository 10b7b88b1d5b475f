import { EventRefusedError, type EventRefusal } from './errors.js'

/** Why an event may not join the log. */
export interface Refusal {
  readonly code: EventRefusal
  /** Finishes the sentence "… is refused: …". */
  readonly reason: string
  /** The event in the way. */
  readonly conflictSeq?: number
  readonly cause?: unknown
}

export function isRefusal(outcome: object): outcome is Refusal {
  return 'code' in outcome
}

export function refusalError(
  refusal: Refusal,
  event: { readonly seq: number; readonly type: string },
): EventRefusedError {
  const message = `${event.type === '' ? 'an event' : event.type} at seq ${event.seq} is refused: ${refusal.reason}`
  return new EventRefusedError(refusal.code, message, { ...refusal, seq: event.seq, type: event.type })
}
