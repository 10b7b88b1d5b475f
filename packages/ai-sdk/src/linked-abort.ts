/**
 * A signal of our own that follows the caller's, so that a stream that nobody reads on can be stopped, and so that one
 * listener, removed at the end, is all that a call leaves on a signal that outlives it.
 */
export class LinkedAbort {
  readonly #controller = new AbortController()
  readonly #source: AbortSignal
  readonly #aborted: Promise<never>
  #reject: (reason: unknown) => void = () => undefined

  constructor(source: AbortSignal) {
    this.#source = source
    this.#aborted = new Promise((_, reject) => {
      this.#reject = reject
    })
    this.#aborted.catch(() => undefined)
    if (source.aborted) this.#abort()
    else source.addEventListener('abort', this.#abort, { once: true })
  }

  /** For the provider. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** What `work` comes to, or a rejection with the reason as soon as the caller aborts, whatever `work` does. */
  async race<Value>(work: PromiseLike<Value>): Promise<Value> {
    return Promise.race([this.#aborted, work])
  }

  /** Follows no longer. `stop` tells the provider to stop, if it still runs. */
  end({ stop }: { readonly stop: boolean }): void {
    this.#source.removeEventListener('abort', this.#abort)
    if (stop) this.#controller.abort(this.#source.reason)
  }

  readonly #abort = (): void => {
    this.#controller.abort(this.#source.reason)
    this.#reject(this.#source.reason)
  }
}
