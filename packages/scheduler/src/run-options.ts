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
   * or more than 2³¹−1, waits for as long as it takes.
   */
  readonly abortGraceMs?: number | undefined
  /** The clock of the grace: calls `expire` after `delayMs` unless the returned function was called. Default `setTimeout`. */
  readonly startTimer?: ((expire: () => void, delayMs: number) => () => void) | undefined
}

/** What a run that did not fail resolves with. */
export interface RunSummary {
  /** Whether the signal aborted before the run ended. */
  readonly aborted: boolean
  /** How many calls were started. */
  readonly started: number
  /** How many calls were skipped; `started + skipped` is the number of calls. */
  readonly skipped: number
}
