import type { SessionEvent } from '@agent-spine/session'

/**
 * For each event, the last one that its process is known to have written: the one before the log has another owner, or
 * before repair closes what was left open. What a process did after that, nobody knows; the time of repair says nothing
 * of it. O(events).
 */
export function lastWritten(events: readonly SessionEvent[]): Uint32Array {
  const found = new Uint32Array(events.length)
  let last: number | undefined
  for (let seq = events.length - 1; seq >= 0; seq--) {
    const event = events[seq]
    if (event?.closer === true) {
      found[seq] = seq
      last = undefined
      continue
    }
    last ??= seq
    found[seq] = last
    if (event?.type === 'session/owner') last = undefined
  }
  return found
}
