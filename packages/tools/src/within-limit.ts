import { type Awaitable } from '@agent-spine/scheduler'
import { isThenable } from './thenable.js'
import { startLimit, type StartTimer } from './timer.js'

/** What came of work that may take only so long. */
export type Limited<Value> =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'expired' | 'aborted' }

export interface Limits {
  readonly limitMs: number
  readonly startTimer: StartTimer
  /** The answer after an abort is `aborted`, whatever the work came to. */
  readonly signal?: AbortSignal
}

const aborted = Object.freeze({ kind: 'aborted' } as const)

/**
 * Runs foreign code and stops waiting when its time is up or the signal aborts. Never throws; leaves no timer, no
 * listener and no unhandled rejection. Work that answers at once costs no microtask.
 */
export function withinLimit<Value>(work: () => Awaitable<Value>, limits: Limits): Awaitable<Limited<Value>> {
  const { signal } = limits
  try {
    const returned = work()
    if (isThenable(returned)) return race(returned, limits)
    return signal?.aborted ? aborted : { kind: 'value', value: returned }
  } catch (error) {
    return signal?.aborted ? aborted : { kind: 'threw', error }
  }
}

function race<Value>(pending: PromiseLike<Value>, limits: Limits): Promise<Limited<Value>> {
  const { signal } = limits
  return new Promise(resolve => {
    const stopTimer = startLimit(limits.startTimer, () => settle({ kind: 'expired' }), limits.limitMs)
    const onAbort = (): void => settle(aborted)

    function settle(outcome: Limited<Value>): void {
      stopTimer()
      signal?.removeEventListener('abort', onAbort)
      resolve(signal?.aborted ? aborted : outcome)
    }

    if (signal?.aborted) settle(aborted)
    else signal?.addEventListener('abort', onAbort)
    // A promise of our own: a hostile `then` may throw, or call back twice.
    Promise.resolve(pending).then(
      value => settle({ kind: 'value', value }),
      (error: unknown) => settle({ kind: 'threw', error }),
    )
  })
}
