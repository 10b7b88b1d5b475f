/** How long work may take, and who may give it up. */
export interface WorkLimits {
  readonly limitMs: number
  /** Not aborted yet. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Answers what `work` answers; rejects as soon as its time is up or the caller gives up, whatever `work` makes of the
 * signal that tells it so.
 */
export async function withinLimit<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  { limitMs, signal: caller }: WorkLimits,
): Promise<Result> {
  // Not `AbortSignal.any` and `.timeout`: on Node 20 the garbage collector may take them before they fire.
  const stop = new AbortController()
  const stopped = new Promise<never>((_, reject) => {
    stop.signal.addEventListener('abort', () => reject(asError(stop.signal.reason)), { once: true })
  })
  const onCallerAbort = () => stop.abort(caller?.reason)
  caller?.addEventListener('abort', onCallerAbort, { once: true })
  const timer = setTimeout(() => stop.abort(new Error(`no answer within ${limitMs} ms`)), limitMs)
  try {
    return await Promise.race([stopped, work(stop.signal)])
  } finally {
    clearTimeout(timer)
    caller?.removeEventListener('abort', onCallerAbort)
  }
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason))
}
