import { type Dispatched } from './call-stages.js'
import { type Run, type Slot, fail, hasFailed } from './run.js'
import { isThenable } from './thenable.js'
import { learn, wrongAnswer } from './truth.js'

/*
 * A call is started only when a place under the cap is free, and a key is handed on by a body that has just left its
 * own place. So whoever comes here has a place, and waits for its key alone (S2, S12).
 */

/** Calls the body of a prepared call, or lets it wait for its key. */
export function admit<Call, Execution, Settled, Result>(
  run: Run<Call, Execution, Settled, Result>,
  slot: Slot<Call, Execution, Settled>,
): void {
  if (slot.key !== undefined && !run.keys.acquire(slot.key, slot)) return
  if (dispatchIsPossible(run)) dispatch(run, slot)
}

/** Calls the bodies that waited for a key and have it now. */
export function dispatchReady<Call, Execution, Settled, Result>(
  run: Run<Call, Execution, Settled, Result>,
): void {
  while (run.ready.size > 0 && dispatchIsPossible(run)) {
    dispatch(run, run.ready.shift() as Slot<Call, Execution, Settled>)
  }
}

/** Read immediately before each body, whatever was awaited before (S8). */
function dispatchIsPossible<Call, Execution, Settled, Result>(
  run: Run<Call, Execution, Settled, Result>,
): boolean {
  // The flag is set by a listener, and another listener may have held it back. The signal itself always knows.
  if (run.options.mayAbort && run.options.signal.aborted) run.noticeAbort()
  return !run.aborted && !hasFailed(run)
}

function dispatch<Call, Execution, Settled, Result>(
  run: Run<Call, Execution, Settled, Result>,
  slot: Slot<Call, Execution, Settled>,
): void {
  slot.phase = 'running'
  run.inFlight += 1
  try {
    const answer = run.stages.dispatch(slot.execution as Execution, run.options.signal)
    // `then`, because an async function that awaits would add a fifth to the cost of the whole call.
    if (isThenable(answer)) {
      void answer.then(
        dispatched => settle(run, slot, dispatched),
        (error: unknown) => reject(run, slot, error),
      )
    } else settle(run, slot, answer)
  } catch (error) {
    reject(run, slot, error)
  }
}

function settle<Call, Execution, Settled, Result>(
  run: Run<Call, Execution, Settled, Result>,
  slot: Slot<Call, Execution, Settled>,
  dispatched: Dispatched<Settled>,
): void {
  const wrong = wrongAnswer('dispatch', dispatched)
  if (wrong !== undefined) reject(run, slot, wrong)
  else {
    // Otherwise the truth was known: from the `late` that `abandon` named, or from a thenable that calls back twice.
    if (slot.phase === 'running') leave(run, slot)
    learn(run, slot, dispatched)
    run.advance()
  }
}

function reject<Call, Execution, Settled, Result>(
  run: Run<Call, Execution, Settled, Result>,
  slot: Slot<Call, Execution, Settled>,
  error: unknown,
): void {
  if (slot.phase !== 'running') return
  leave(run, slot)
  slot.phase = 'rejected'
  slot.error = error
  fail(run, error)
  run.advance()
}

/** Gives back the call's place under the cap, and its key. */
function leave<Call, Execution, Settled, Result>(
  run: Run<Call, Execution, Settled, Result>,
  slot: Slot<Call, Execution, Settled>,
): void {
  run.inFlight -= 1
  if (slot.key === undefined) return
  const next = run.keys.release(slot.key)
  if (next !== undefined) run.ready.push(next)
}
