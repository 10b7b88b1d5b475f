import { setTimeout as wait } from 'node:timers/promises'

/** Runs jobs one after another, with at least `spacingMs` between them. */
export function throttle(spacingMs) {
  let last = Promise.resolve()
  return job => {
    const result = last.then(job)
    const ended = result.catch(() => undefined)
    last = ended.then(() => wait(spacingMs))
    return result
  }
}
