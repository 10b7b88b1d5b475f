/*
 * Runs one step's calls through their stages. Two lanes do the ordered work, each one call at a time and in call
 * order: starts (start-lane.ts) and ends (end-lane.ts). Between them bodies overlap (dispatch.ts). Whatever happens
 * ends in `advance`, which does all that has become possible, so no lane ever has to be told what to do next.
 *
 * S1  fail-closed     A call overlaps only if `mode` answered an object whose `kind` is exactly 'parallel'. Anything
 *                     else, a throw and a promise too, is exclusive.
 * S2  cap             At most `maxParallel` calls are dispatched and unsettled: a rolling window, refilled as each
 *                     settles.
 * S3  barrier         An exclusive call starts after every earlier call has committed; no later call starts before
 *                     it has.
 * S4  late asking     `mode` is asked immediately before a start, after every commit that is then possible. A call
 *                     that has turned exclusive cuts the group, and is asked again as the first of the next.
 * S5  two lanes       A start waits for the ends then possible; an end never waits for a start. Results commit
 *                     contiguously from the front.
 * S6  one outcome     Every call ends with exactly one `committed` or one `skipped`, unless S9 applies.
 * S7  isolation       A failure that the stages turned into a result is data: it disturbs no sibling.
 * S8  abort           After the abort nothing starts and no body is called: the signal is read again after every
 *                     await. Dispatched calls are awaited, prepared ones abandoned, the others skipped, all in call
 *                     order. The run resolves.
 * S9  failure         A stage or journal that throws, or a `dispatch` that rejects, is a bug. No new start, no new
 *                     commit or skip, nothing invented; a pending `prepare` sees its signal abort; every body is
 *                     awaited; `failed` is told what is known; the first error is rethrown, the same object.
 * S10 no loose ends   No unhandled rejection, no timer, no listener is left behind, in any path.
 * S11 bounded abort   A dispatched call that outlives the grace after an abort commits what `abandon` says. Truth
 *                     that comes before the commit begins replaces the guess; later it goes to `late`.
 * S12 keys            Parallel calls of one key never overlap. They wait between `prepare` and `dispatch`, first come
 *                     first served, and hold no place under the cap while they do.
 */
import { type CallJournal } from './call-journal.js'
import { type CallStages } from './call-stages.js'
import { dispatchReady } from './dispatch.js'
import { endIsPossible, endNext } from './end-lane.js'
import { closeFailed } from './failure-report.js'
import { Fifo } from './fifo.js'
import { Keys } from './keys.js'
import { type Run, hasFailed } from './run.js'
import { type RunOptions, type RunSummary, checkOptions } from './run-options.js'
import { startIsPossible, startNext } from './start-lane.js'

/** The longest delay that a timer can keep. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * Runs calls through ordered stages around an overlapping one. Parallel calls overlap up to a cap, exclusive calls
 * are barriers, and results commit in call order whatever settles first.
 *
 * Resolves when every call has been committed or skipped, also after an abort. Rejects with a `RangeError` for
 * options that cannot work, before anything starts; and with the first error that a stage or the journal threw, as
 * the same object, after every dispatched body has settled and `journal.failed` was told what is known.
 *
 * Costs O(calls) time, and memory for the calls between the first uncommitted and the last started one.
 */
// eslint-disable-next-line max-params -- calls, what to do, where to write it down, and options: the published signature
export async function runStagedCalls<Call, Execution, Settled, Result>(
  calls: readonly Call[],
  stages: CallStages<Call, Execution, Settled, Result>,
  journal: CallJournal<Call, Execution, Settled, Result>,
  options: RunOptions = {},
): Promise<RunSummary> {
  const checked = checkOptions(options)
  const { signal, abortGraceMs, startTimer } = checked
  let wakeEnd: () => void = () => undefined
  let cancelTimer: () => void = () => undefined
  let advancing = false

  const run: Run<Call, Execution, Settled, Result> = {
    calls: calls.slice(),
    stages,
    journal,
    options: checked,
    prepareAbort: new AbortController(),
    advance,
    noticeAbort,
    front: undefined,
    back: undefined,
    lastCommit: { outcome: undefined, stage: 'finish', result: undefined, failed: false },
    started: 0,
    skipped: 0,
    groupOpen: false,
    cap: 1,
    inFlight: 0,
    keys: new Keys(),
    ready: new Fifo(),
    starting: false,
    ending: false,
    pendingLate: 0,
    errors: [],
    aborted: signal.aborted,
    graceOver: false,
    ended: false,
  }

  function advance(): void {
    if (advancing || run.ended) return
    advancing = true
    for (;;) {
      dispatchReady(run)
      if (endIsPossible(run)) endNext(run)
      else if (startIsPossible(run)) startNext(run)
      else break
    }
    advancing = false
    if (isOver(run)) wakeEnd()
  }

  function noticeAbort(): void {
    if (run.aborted) return
    run.aborted = true
    run.prepareAbort.abort(signal.reason)
    if (run.inFlight > 0 && abortGraceMs <= LONGEST_TIMER_MS) {
      cancelTimer = startTimer(() => {
        run.graceOver = true
        advance()
      }, abortGraceMs)
    }
    advance()
  }

  signal.addEventListener('abort', noticeAbort)
  advance()
  // Between the wake and the next line a body may still settle, and the journal may be told of it.
  while (!isOver(run)) await new Promise<void>(resolve => (wakeEnd = resolve))
  signal.removeEventListener('abort', noticeAbort)
  cancelTimer()

  const report = hasFailed(run) ? closeFailed(run) : undefined
  run.ended = true
  if (report === undefined) return { aborted: run.aborted, started: run.started, skipped: run.skipped }
  try {
    await journal.failed?.(report)
  } catch {
    // The first error is the one that the caller must see.
  }
  throw report.error
}

/** Whether nothing more can happen that the run must wait for. */
function isOver<Call, Execution, Settled, Result>(run: Run<Call, Execution, Settled, Result>): boolean {
  if (run.starting || run.ending || run.pendingLate > 0) return false
  if (hasFailed(run)) return run.inFlight === 0 || run.graceOver
  return run.front === undefined && run.started + run.skipped === run.calls.length
}
