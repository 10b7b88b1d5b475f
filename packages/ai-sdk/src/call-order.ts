import type { BoundTools } from '@agent-spine/tools'

/** How a call may overlap with others. */
export type CallMode = ReturnType<BoundTools['mode']>

/**
 * Lets calls that arrive one by one overlap where their modes allow it.
 *
 * O1. An exclusive call starts when all that came before it have ended, and nothing that comes after starts before it ends.
 * O2. Calls with one key run one after the other, in the order in which they came; others pass them.
 * O3. A call that is aborted while it waits starts at once: the runtime answers it without running its body.
 */
export class CallOrder {
  readonly #running = new Map<Promise<unknown>, CallMode>()

  /** Runs `body` when its turn has come, and answers what it answers. */
  run<Result>(mode: CallMode, signal: AbortSignal | undefined, body: () => Promise<Result>): Promise<Result> {
    const before = [...this.#running].filter(([, other]) => excludes(mode, other)).map(([call]) => call)
    const call = (before.length === 0 ? Promise.resolve() : allEnded(before, signal)).then(body)
    const end = (): void => {
      this.#running.delete(ended)
    }
    const ended: Promise<void> = call.then(end, end)
    this.#running.set(ended, mode)
    return call
  }
}

function excludes(one: CallMode, other: CallMode): boolean {
  if (one.kind === 'exclusive' || other.kind === 'exclusive') return true
  return one.key !== undefined && one.key === other.key
}

/** Once all calls have ended, or the signal aborts. None of them rejects. */
function allEnded(calls: readonly Promise<unknown>[], signal: AbortSignal | undefined): Promise<void> {
  return new Promise(resolve => {
    const done = (): void => {
      signal?.removeEventListener('abort', done)
      resolve()
    }
    void Promise.all(calls).then(done)
    if (signal?.aborted === true) done()
    else signal?.addEventListener('abort', done, { once: true })
  })
}
