import { onceAborted } from './link-signals.js'

interface Watched {
  readonly waiting: Set<{ readonly tell: () => void }>
  readonly unlink: () => void
}

/**
 * Tells many of an abort through one listener. With a listener for every running body, a batch at the default cap would
 * exceed the ten above which Node warns of a leak.
 */
export class AbortWatch {
  readonly #watched = new Map<AbortSignal, Watched>()

  /** Calls `tell` when `signal` aborts, at once if it has. Returns a function that ends it. */
  once(signal: AbortSignal, tell: () => void): () => void {
    if (signal.aborted) {
      tell()
      return () => undefined
    }
    const entry = { tell }
    const { waiting } = this.#watched.get(signal) ?? this.#watch(signal)
    waiting.add(entry)
    return () => {
      if (waiting.delete(entry) && waiting.size === 0) this.#unwatch(signal)
    }
  }

  #watch(signal: AbortSignal): Watched {
    const waiting: Watched['waiting'] = new Set()
    const unlink = onceAborted(signal, () => {
      this.#watched.delete(signal)
      for (const { tell } of waiting) tell()
    })
    const watched = { waiting, unlink }
    this.#watched.set(signal, watched)
    return watched
  }

  #unwatch(signal: AbortSignal): void {
    this.#watched.get(signal)?.unlink()
    this.#watched.delete(signal)
  }
}
