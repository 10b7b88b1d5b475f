import type { SessionEvent } from '@agent-spine/session'

/**
 * The time of each event, never before that of the one before it: a clock that was set back must not make a bar run
 * backwards or two calls of one lane overlap.
 */
export function monotoneTimes(events: readonly SessionEvent[]): Float64Array {
  const times = new Float64Array(events.length)
  let latest = -Infinity
  let index = 0
  for (const { time } of events) {
    if (time > latest) latest = time
    times[index++] = latest
  }
  return times
}
