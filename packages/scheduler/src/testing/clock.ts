import { type StartTimer } from '../run-options.js'

/** A clock that stands still until it is moved by hand. */
export interface HandClock {
  readonly startTimer: StartTimer
  /** How many timers run. */
  readonly running: () => number
  /** Moves on, and fires what is due. */
  readonly advance: (byMs: number) => void
}

/** Makes a clock for the `startTimer` option. */
export function createHandClock(): HandClock {
  const timers = new Set<{ readonly dueMs: number; readonly expire: () => void }>()
  let nowMs = 0
  return {
    startTimer(expire, delayMs) {
      const timer = { dueMs: nowMs + delayMs, expire }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    running: () => timers.size,
    advance(byMs) {
      nowMs += byMs
      for (const timer of [...timers]) {
        if (timer.dueMs > nowMs) continue
        timers.delete(timer)
        timer.expire()
      }
    },
  }
}
