import { type Dispatched, type SettledKind } from './call-stages.js'

/** A call that settled and was not committed when the run failed. */
export interface UncommittedCall<Call, Execution, Settled, Result> {
  readonly call: Call
  readonly execution: Execution
  readonly kind: SettledKind
  /** What `dispatch` returned, or `prepare` for a call that it settled. */
  readonly settled: Settled
  /** What `finalize` or `finish` made of it, if that had returned. */
  readonly result?: Result
  /** The stage that failed on this call, if one did. */
  readonly failedStage?: 'finalize' | 'finish' | 'committed'
}

/** All that is known when a run fails. Every call is committed, skipped, or in exactly one of the five lists, each in call order. */
export interface FailureReport<Call, Execution, Settled, Result> {
  /** The first error: the one the run rejects with. */
  readonly error: unknown
  /** Every error of the run, in the order in which they came; `error` is the first. */
  readonly errors: readonly unknown[]
  /** Settled, not committed. */
  readonly settled: readonly UncommittedCall<Call, Execution, Settled, Result>[]
  /** `dispatch` threw or rejected. */
  readonly rejected: readonly {
    readonly call: Call
    readonly execution: Execution
    readonly error: unknown
  }[]
  /** Still running after the grace that follows an abort; the truth goes to `late`. */
  readonly unresolved: readonly { readonly call: Call; readonly execution: Execution }[]
  /** Started, body never called; without `execution` where `prepare` failed. */
  readonly notDispatched: readonly { readonly call: Call; readonly execution?: Execution }[]
  /** `started` was not called, or did not return. */
  readonly notStarted: readonly Call[]
}

/**
 * Where a run writes down what happened. `started` follows call order, before the call's `prepare`. `committed` and
 * `skipped` are one sequence in call order; a promise that they return is awaited before the next.
 */
export interface CallJournal<Call, Execution, Settled, Result> {
  /** Synchronous: a promise here is a bug and fails the run. */
  started(call: Call): void
  committed(call: Call, result: Result): unknown
  /** The call was never started. */
  skipped(call: Call): unknown
  /** The truth about a call that was committed, or reported as failed, on a guess. May come after the run has ended. */
  late?(call: Call, execution: Execution, dispatched: Dispatched<Settled>): unknown
  /** Told what is really known, before the run rejects. An error that it throws is dropped: the first error wins. */
  failed?(report: FailureReport<Call, Execution, Settled, Result>): unknown
}
