import { type Dispatched } from './call-stages.js'
import { type Run, type Slot, fail, hasFailed } from './run.js'
import { isThenable } from './thenable.js'
import { abandon, tellLate } from './truth.js'

/** Whether the first call that is still open may be committed or skipped now (S3, S5, S8, S9, S11). */
export function endIsPossible<Call, Execution, Settled, Result>(
  run: Run<Call, Execution, Settled, Result>,
): boolean {
  if (run.ending || hasFailed(run)) return false
  switch (run.front?.phase) {
    case 'settled':
      return true
    case 'starting':
    case 'rejected':
      return false
    case 'waiting':
      return run.aborted
    case 'running':
      return run.graceOver
    case undefined:
      return run.aborted && !run.starting && run.started + run.skipped < run.calls.length
  }
}

/** Commits the first open call, or skips it if it was never started. */
export function endNext<Call, Execution, Settled, Result>(
  run: Run<Call, Execution, Settled, Result>,
): Promise<void> {
  return run.front === undefined ? skip(run) : commit(run, run.front)
}

async function commit<Call, Execution, Settled, Result>(
  run: Run<Call, Execution, Settled, Result>,
  slot: Slot<Call, Execution, Settled>,
): Promise<void> {
  const { stages, journal, lastCommit } = run
  const execution = slot.execution as Execution
  run.ending = true
  try {
    slot.commit = 'begun'
    const outcome = slot.phase === 'settled' ? (slot.outcome as Dispatched<Settled>) : abandon(run, slot)
    lastCommit.outcome = outcome
    lastCommit.stage = outcome.kind === 'post-result' ? 'finalize' : 'finish'
    const answer =
      outcome.kind === 'post-result'
        ? stages.finalize(execution, outcome.settled)
        : stages.finish(execution, outcome.settled)
    lastCommit.result = isThenable(answer) ? await answer : answer
    lastCommit.stage = 'committed'
    if (hasFailed(run)) return

    const written = journal.committed(slot.call, lastCommit.result)
    if (isThenable(written)) await written
    close(run, slot)
    if (slot.final && slot.outcome !== outcome) void tellLate(run, slot)
  } catch (error) {
    lastCommit.failed = true
    fail(run, error)
  } finally {
    run.ending = false
    run.advance()
  }
}

function close<Call, Execution, Settled, Result>(
  run: Run<Call, Execution, Settled, Result>,
  slot: Slot<Call, Execution, Settled>,
): void {
  slot.commit = 'closed'
  run.front = slot.next
  if (slot.next === undefined) run.back = undefined
  // A body that was abandoned keeps its slot alive: it must not keep all later ones alive too.
  slot.next = undefined
}

async function skip<Call, Execution, Settled, Result>(
  run: Run<Call, Execution, Settled, Result>,
): Promise<void> {
  run.ending = true
  try {
    const written = run.journal.skipped(run.calls[run.started + run.skipped] as Call)
    if (isThenable(written)) await written
    run.skipped += 1
  } catch (error) {
    fail(run, error)
  } finally {
    run.ending = false
    run.advance()
  }
}
