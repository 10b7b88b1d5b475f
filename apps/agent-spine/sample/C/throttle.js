import { setTimeout as wait } from 'node:timers/promises'

/** Runs jobs one after another, at least `spacingMs` apart. */
export function throttle(spacingMs) {
  let last = Promise.resolve()
  return job => {
    const turn = last
    last = turn.then(() => wait(spacingMs))
    return turn.then(job)
  }
}
