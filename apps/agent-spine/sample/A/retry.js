import { setTimeout as wait } from 'node:timers/promises'

/** Calls `work` until it succeeds, waiting twice as long after each failure. */
export async function retry(work, { attempts = 4, firstDelayMs = 100 } = {}) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt)
    } catch (error) {
      if (attempt === attempts) throw error
      await wait(firstDelayMs * 2 ** (attempt - 1))
    }
  }
}
