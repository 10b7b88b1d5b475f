/** What has a signal, and may make it only when it is asked. */
export interface SignalSource {
  readonly signal: AbortSignal
}

/** A signal made of others, until it is released. */
export interface LinkedSignal extends SignalSource {
  /** Takes the listeners off again. */
  release(): void
}

/** A signal that aborts with the first of `sources`, for its reason. Unlike `AbortSignal.any`, it can be let go of. */
export function linkSignals(sources: readonly SignalSource[]): LinkedSignal {
  const [only] = sources
  if (only && sources.length === 1) return new SoleSignal(only)
  const controller = new AbortController()
  const unlink = sources.map(({ signal }) => onceAborted(signal, () => controller.abort(signal.reason)))
  return { signal: controller.signal, release: () => unlink.forEach(release => release()) }
}

/** The signal of one source, which is asked for it only when somebody asks here. */
class SoleSignal implements LinkedSignal {
  readonly #source: SignalSource

  constructor(source: SignalSource) {
    this.#source = source
  }

  get signal(): AbortSignal {
    return this.#source.signal
  }

  release(): void {
    // It has put no listener on it.
  }
}

/** Calls `listener` when `signal` aborts, at once if it has. Returns a function that takes the listener off. */
export function onceAborted(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) {
    listener()
    return () => undefined
  }
  signal.addEventListener('abort', listener, { once: true })
  return () => signal.removeEventListener('abort', listener)
}
