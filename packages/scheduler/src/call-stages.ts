import { type ExecutionMode } from './execution-mode.js'

/** A value, or a promise of it. A value that is not a promise costs no microtask. */
export type Awaitable<Value> = Value | PromiseLike<Value>

/** Which ordered stage a settled call still passes: `finalize` (policy may change it) or `finish` (it is final). */
export type SettledKind = 'post-result' | 'final-result'

/** What `prepare` decided: run the body, or settle the call without running it. */
export type Preparation<Execution, Settled> =
  | { readonly kind: 'dispatch'; readonly execution: Execution }
  | { readonly kind: SettledKind; readonly execution: Execution; readonly settled: Settled }

/**
 * What became of a dispatched call. With `late` it is a guess: the call settles and may commit as `settled`, and the
 * truth follows. Truth that comes before the commit begins replaces the guess; later it goes to `CallJournal.late`.
 */
export interface Dispatched<Settled> {
  readonly kind: SettledKind
  readonly settled: Settled
  readonly late?: PromiseLike<Dispatched<Settled>>
}

/**
 * The stages of a call. Only `dispatch` overlaps with other calls; every other stage runs one at a time, in call
 * order. An expected failure is a `Settled` or a `Result`. A stage that throws or rejects (`mode` excepted) is a bug
 * and ends the run.
 */
export interface CallStages<Call, Execution, Settled, Result> {
  /** Synchronous. Asked again before every start; anything but an honest `parallel` answer means exclusive. */
  mode(call: Call): ExecutionMode
  /** Ordered. `signal` aborts with the caller's signal, and also when the run fails. It must end when `signal` aborts. */
  prepare(call: Call, mode: ExecutionMode, signal: AbortSignal): Awaitable<Preparation<Execution, Settled>>
  /** Overlaps. `signal` is the caller's signal; a failure of the run does not abort it. */
  dispatch(execution: Execution, signal: AbortSignal): Awaitable<Dispatched<Settled>>
  /** Ordered. Turns a `post-result` outcome, which policy may still change, into the result. */
  finalize(execution: Execution, settled: Settled): Awaitable<Result>
  /** Ordered. Turns a `final-result` outcome into the result. */
  finish(execution: Execution, settled: Settled): Awaitable<Result>
  /** Synchronous. After an abort: what to commit for an execution that was not dispatched, or that outlived its grace. */
  abandon(execution: Execution): Dispatched<Settled>
}
