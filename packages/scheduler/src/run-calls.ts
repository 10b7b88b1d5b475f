import { type ExecutionMode } from './execution-mode.js'
import { type RunOptions, type RunSummary } from './run-options.js'

/**
 * What became of a call: its value, what it threw, `skipped` if it never ran, `unknown` if it was still running when
 * the grace after an abort ended.
 */
export type CallOutcome<Value> =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'error'; readonly error: unknown }
  | { readonly kind: 'skipped' }
  | { readonly kind: 'unknown' }

/** The functions and options of `runCalls`. */
export interface RunCallsOptions<Call, Value> extends RunOptions {
  /** Synchronous. Left out, or anything but an honest `parallel` answer: exclusive. */
  readonly mode?: ((call: Call) => ExecutionMode) | undefined
  /** Runs a call. What it throws is the call's outcome and disturbs no other call. */
  readonly run: (call: Call, context: { readonly signal: AbortSignal }) => Value | PromiseLike<Value>
  /** Called exactly once for every call, in call order; a promise is awaited before the next. */
  readonly commit: (call: Call, outcome: CallOutcome<Value>) => unknown
  /** The truth about a call that was committed as `unknown`, should it still come, perhaps after the run has ended. */
  readonly late?: ((call: Call, outcome: CallOutcome<Value>) => unknown) | undefined
}

export declare function runCalls<Call, Value>(
  calls: readonly Call[],
  options: RunCallsOptions<Call, Value>,
): Promise<RunSummary>
