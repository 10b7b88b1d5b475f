import { type CallStages, type Dispatched } from './call-stages.js'
import { exclusive, type ExecutionMode } from './execution-mode.js'
import { type RunOptions, type RunSummary } from './run-options.js'
import { runStagedCalls } from './run-staged-calls.js'
import { isThenable } from './thenable.js'

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

interface Execution<Call> {
  readonly call: Call
  ran: boolean
}

/**
 * Runs calls and commits one outcome for each, in call order: parallel calls overlap up to `maxParallel`, exclusive
 * calls run alone.
 *
 * Resolves when every call has its commit, also after an abort; `started` then counts the calls that ran. Rejects
 * with a `RangeError` for options that cannot work, and with the first error that `commit` threw, after every running
 * call has settled.
 */
export async function runCalls<Call, Value>(
  calls: readonly Call[],
  options: RunCallsOptions<Call, Value>,
): Promise<RunSummary> {
  const { mode, run, commit, late, ...runOptions } = options
  let abandonedBeforeRun = 0
  let context: { readonly signal: AbortSignal } | undefined
  const stages: CallStages<Call, Execution<Call>, CallOutcome<Value>, CallOutcome<Value>> = {
    mode: call => mode?.(call) ?? exclusive,
    prepare: call => ({ kind: 'dispatch', execution: { call, ran: false } }),
    dispatch(execution, signal) {
      execution.ran = true
      try {
        context ??= Object.freeze({ signal })
        const answer = run(execution.call, context)
        return isThenable(answer) ? outcomeOf(answer) : final({ kind: 'value', value: answer })
      } catch (error) {
        return final({ kind: 'error', error })
      }
    },
    finalize: (_execution, outcome) => outcome,
    finish: (_execution, outcome) => outcome,
    abandon(execution) {
      if (execution.ran) return final({ kind: 'unknown' })
      abandonedBeforeRun += 1
      return final({ kind: 'skipped' })
    },
  }
  const { aborted, started, skipped } = await runStagedCalls(
    calls,
    stages,
    {
      started: () => undefined,
      committed: commit,
      skipped: call => commit(call, { kind: 'skipped' }),
      late: (call, _execution, { settled }) => late?.(call, settled),
    },
    runOptions,
  )
  return { aborted, started: started - abandonedBeforeRun, skipped: skipped + abandonedBeforeRun }
}

/** What a body's promise comes to. Not a promise itself: one more in between would cost a quarter of the whole call. */
function outcomeOf<Value>(answer: PromiseLike<Value>): PromiseLike<Dispatched<CallOutcome<Value>>> {
  return {
    then(resolve: (dispatched: Dispatched<CallOutcome<Value>>) => void) {
      const fail = (error: unknown): void => resolve(final({ kind: 'error', error }))
      try {
        answer.then(value => resolve(final({ kind: 'value', value })), fail)
      } catch (error) {
        fail(error)
      }
    },
  } as PromiseLike<Dispatched<CallOutcome<Value>>>
}

function final<Value>(outcome: CallOutcome<Value>): Dispatched<CallOutcome<Value>> {
  return { kind: 'final-result', settled: outcome }
}
