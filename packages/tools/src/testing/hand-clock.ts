import { type StartTimer } from '../timer.js'

/** A clock that tests move by hand. */
export interface HandClock {
  readonly startTimer: StartTimer
  /** Fires, in order, every timer that is due within the next `milliseconds`. */
  advance(milliseconds: number): void
  /** How many timers are running. */
  readonly pending: number
}

interface Timer {
  readonly due: number
  readonly expire: () => void
}

/** Makes a clock that stands still. */
export function handClock(): HandClock {
  const timers = new Set<Timer>()
  let now = 0

  function next(until: number): Timer | undefined {
    return [...timers].filter(timer => timer.due <= until).sort((a, b) => a.due - b.due)[0]
  }

  return {
    startTimer: (expire, delayMs) => {
      const timer = { due: now + delayMs, expire }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    advance: milliseconds => {
      const until = now + milliseconds
      for (let timer = next(until); timer; timer = next(until)) {
        timers.delete(timer)
        now = timer.due
        timer.expire()
      }
      now = until
    },
    get pending() {
      return timers.size
    },
  }
}
