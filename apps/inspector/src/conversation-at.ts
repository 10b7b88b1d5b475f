import type { Message } from '@agent-spine/model'
import { repairLog } from '@agent-spine/repair'
import { deriveMessages, type SessionEvent } from '@agent-spine/session'

/** The events that a conversation is derived from. Nothing else of a log takes part, so a prefix of them is enough. */
export function surfaceEvents(events: readonly SessionEvent[]): readonly SessionEvent[] {
  return events.filter(
    ({ type }) => type === 'user/message' || type === 'assistant/message' || type === 'tool/result',
  )
}

/** What `deriveMessages` gives once the event `seq` is in the log. O(surface events up to it). */
export function conversationAt(surface: readonly SessionEvent[], seq: number): readonly Message[] {
  return deriveMessages(surface.slice(0, countUpTo(surface, seq)))
}

/** The next request if the process died right after the event `seq` and the log was repaired. O(events up to it). */
export function repairedConversationAt(events: readonly SessionEvent[], seq: number): readonly Message[] {
  return deriveMessages(repairLog(events.slice(0, seq + 1)))
}

/** What two conversations do not share. Messages of one log are the same where their ids are. */
export interface ConversationChange {
  readonly added: ReadonlySet<string>
  readonly removed: number
}

export function conversationChange(
  before: readonly Message[],
  after: readonly Message[],
): ConversationChange {
  const known = new Set(before.map(({ id }) => id))
  const kept = new Set(after.map(({ id }) => id))
  return {
    added: new Set(after.map(({ id }) => id).filter(id => !known.has(id))),
    removed: before.filter(({ id }) => !kept.has(id)).length,
  }
}

function countUpTo(surface: readonly SessionEvent[], seq: number): number {
  let low = 0
  let high = surface.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((surface[middle]?.seq ?? 0) <= seq) low = middle + 1
    else high = middle
  }
  return low
}
