/** How many dispatched calls may be unsettled at once when `maxParallel` is left out. */
export const DEFAULT_MAX_PARALLEL_TOOL_CALLS = 10

/** Options of a run. */
export interface RunOptions {
  /**
   * The most dispatched and unsettled calls: a positive integer, or a function that returns one and is read at the
   * start of every group. Default `DEFAULT_MAX_PARALLEL_TOOL_CALLS`.
   */
  readonly maxParallel?: number | (() => number) | undefined
  /** Aborts the run: nothing more starts, what runs is awaited, the rest is skipped. */
  readonly signal?: AbortSignal | undefined
  /**
   * How long after the abort a dispatched call may still settle before it is abandoned. Default 30 000; `Infinity`,
   * or more than 2³¹−1, waits for as long as it takes and sets no timer.
   */
  readonly abortGraceMs?: number | undefined
  /** The clock of the grace: calls `expire` after `delayMs` unless the returned function was called. Default `setTimeout`. */
  readonly startTimer?: StartTimer | undefined
}

/** Calls `expire` once after `delayMs`, unless the returned function is called before. */
export type StartTimer = (expire: () => void, delayMs: number) => () => void

/** What a run that did not fail resolves with. */
export interface RunSummary {
  /** Whether the signal aborted before the run ended. */
  readonly aborted: boolean
  /** How many calls were started. */
  readonly started: number
  /** How many calls were skipped; `started + skipped` is the number of calls. */
  readonly skipped: number
}

/** Options after the door: checked, with every default filled in. */
export interface CheckedOptions {
  readonly readMaxParallel: () => number
  readonly signal: AbortSignal
  /** Whether anybody can abort: reading a signal that nobody holds would be a tenth of the cost of a call. */
  readonly mayAbort: boolean
  readonly abortGraceMs: number
  readonly startTimer: StartTimer
}

const DEFAULT_ABORT_GRACE_MS = 30_000

/** Refuses options that could not work with a `RangeError`, before anything starts. */
export function checkOptions(options: RunOptions): CheckedOptions {
  const {
    maxParallel = DEFAULT_MAX_PARALLEL_TOOL_CALLS,
    abortGraceMs = DEFAULT_ABORT_GRACE_MS,
    signal = new AbortController().signal,
    startTimer = startTimeout,
  } = options
  if (typeof abortGraceMs !== 'number' || !(abortGraceMs >= 0)) {
    throw new RangeError(
      `abortGraceMs must be a number of milliseconds that is not negative, found ${String(abortGraceMs)}; use Infinity to wait without a limit`,
    )
  }
  const rest = { signal, mayAbort: options.signal !== undefined, abortGraceMs, startTimer }
  if (typeof maxParallel === 'function') {
    return { readMaxParallel: () => checkMaxParallel(maxParallel()), ...rest }
  }
  checkMaxParallel(maxParallel)
  return { readMaxParallel: () => maxParallel, ...rest }
}

function checkMaxParallel(maxParallel: number): number {
  if (Number.isInteger(maxParallel) && maxParallel > 0) return maxParallel
  throw new RangeError(
    `maxParallel must be a positive integer, found ${String(maxParallel)}; use 1 to run calls one at a time`,
  )
}

function startTimeout(expire: () => void, delayMs: number): () => void {
  const timer = setTimeout(expire, delayMs)
  return () => clearTimeout(timer)
}
