/** A signal made of others, until it is released. */
export interface LinkedSignal {
  readonly signal: AbortSignal
  /** Takes the listeners off again. */
  release(): void
}

/** A signal that aborts with the first of `signals`, for its reason. Unlike `AbortSignal.any`, it can be let go of. */
export function linkSignals(signals: readonly AbortSignal[]): LinkedSignal {
  const [only] = signals
  if (only && signals.length === 1) return { signal: only, release: () => undefined }
  const controller = new AbortController()
  const unlink = signals.map(signal => onceAborted(signal, () => controller.abort(signal.reason)))
  return { signal: controller.signal, release: () => unlink.forEach(release => release()) }
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
