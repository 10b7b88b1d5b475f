import { type CallJournal } from './call-journal.js'
import { type CallStages, type Dispatched } from './call-stages.js'
import { type Fifo } from './fifo.js'
import { type Keys } from './keys.js'
import { type CheckedOptions } from './run-options.js'

/** One started call, from `started` until it is committed or reported as failed. */
export interface Slot<Call, Execution, Settled> {
  readonly call: Call
  readonly key: string | undefined
  /** Set by `prepare`: there in every phase but `starting`. */
  execution: Execution | undefined
  /** What is really known of the call; what `abandon` says is a guess and changes nothing here. */
  phase: 'starting' | 'waiting' | 'running' | 'settled' | 'rejected'
  /** What the stages said last: that commits when its turn comes, or what `abandon` says for want of it. */
  outcome: Dispatched<Settled> | undefined
  /** Whether `outcome` is the truth, or a guess that may still be corrected. */
  final: boolean
  /** `begun`: what is learnt now comes too late for the commit. `closed`: committed, or reported as failed. */
  commit: 'open' | 'begun' | 'closed'
  /** Why `dispatch` rejected. */
  error: unknown
  next: Slot<Call, Execution, Settled> | undefined
}

/** The commit that the lane of ends began last. */
export interface LastCommit<Settled, Result> {
  outcome: Dispatched<Settled> | undefined
  stage: 'finalize' | 'finish' | 'committed'
  /** What `finalize` or `finish` returned: there in stage `committed`. */
  result: Result | undefined
  failed: boolean
}

/** Everything that one run knows. */
export interface Run<Call, Execution, Settled, Result> {
  readonly calls: readonly Call[]
  readonly stages: CallStages<Call, Execution, Settled, Result>
  readonly journal: CallJournal<Call, Execution, Settled, Result>
  readonly options: CheckedOptions
  /** Aborts what `prepare` waits for: with the caller's signal, and when the run fails. */
  readonly prepareAbort: AbortController
  /** Does all that has become possible. */
  readonly advance: () => void
  /** Does what is to be done when the signal has aborted: once, however often it is told. */
  readonly noticeAbort: () => void

  /** The started and uncommitted calls, in call order. */
  front: Slot<Call, Execution, Settled> | undefined
  back: Slot<Call, Execution, Settled> | undefined
  /** The commit of `front`, as far as it has come. */
  readonly lastCommit: LastCommit<Settled, Result>
  started: number
  skipped: number

  /** Whether a parallel group is open; the next call then joins it without waiting for commits. */
  groupOpen: boolean
  /** `maxParallel` as it was read at the start of the group. */
  cap: number
  /** Dispatched and unsettled. */
  inFlight: number
  readonly keys: Keys<Slot<Call, Execution, Settled>>
  /** Prepared calls whose key has just come free. */
  readonly ready: Fifo<Slot<Call, Execution, Settled>>

  /** Whether the lane of starts, or of ends, is inside a stage. */
  starting: boolean
  ending: boolean
  /** Calls of `journal.late` that the run waits for. */
  pendingLate: number
  /** Every error, in the order in which they came: the run has failed if there is one. */
  readonly errors: unknown[]
  /** Whether the abort was noticed. Reading `signal.aborted` costs as much as all the rest of a call's bookkeeping. */
  aborted: boolean
  graceOver: boolean
  ended: boolean
}

/** Whether the run has failed: an error has come that no stage turned into a result (S9). */
export function hasFailed<Call, Execution, Settled, Result>(
  run: Run<Call, Execution, Settled, Result>,
): boolean {
  return run.errors.length > 0
}

/** Fails the run. After its end there is nobody left to tell, and the error is dropped (S10). */
export function fail<Call, Execution, Settled, Result>(
  run: Run<Call, Execution, Settled, Result>,
  error: unknown,
): void {
  if (run.ended) return
  run.errors.push(error)
  run.prepareAbort.abort(error)
}
