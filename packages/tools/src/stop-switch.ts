/**
 * An abort whose signal is made when somebody asks for it. Most bodies never look at theirs, and making one costs more
 * than all the rest of a call.
 */
export class StopSwitch {
  #controller: AbortController | undefined
  #stopped: { readonly reason: unknown } | undefined

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#stopped) this.#controller.abort(this.#stopped.reason)
    }
    return this.#controller.signal
  }

  get isStopped(): boolean {
    return this.#stopped !== undefined
  }

  /** `undefined` until it is stopped. */
  get reason(): unknown {
    return this.#stopped?.reason
  }

  /** The first reason counts. */
  stop(reason: unknown): void {
    if (this.#stopped) return
    this.#stopped = { reason }
    this.#controller?.abort(reason)
  }
}
