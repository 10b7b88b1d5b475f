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

/** Commits the first open call, or skips it if it was never started. Where everybody answers at once, so does this. */
export function endNext<Call, Execution, Settled, Result>(run: Run<Call, Execution, Settled, Result>): void {
  run.ending = true
  const ended = run.front === undefined ? skip(run) : commit(run, run.front)
  if (ended) run.ending = false
}

/** Answers whether the commit has ended; otherwise `leaveLane` follows when it has. */
function commit<Call, Execution, Settled, Result>(
  run: Run<Call, Execution, Settled, Result>,
  slot: Slot<Call, Execution, Settled>,
): boolean {
  const { stages, lastCommit } = run
  const execution = slot.execution as Execution
  try {
    slot.commit = 'begun'
    const outcome = slot.phase === 'settled' ? (slot.outcome as Dispatched<Settled>) : abandon(run, slot)
    lastCommit.outcome = outcome
    lastCommit.stage = outcome.kind === 'post-result' ? 'finalize' : 'finish'
    const answer =
      outcome.kind === 'post-result'
        ? stages.finalize(execution, outcome.settled)
        : stages.finish(execution, outcome.settled)
    if (!isThenable(answer)) return write(run, slot, answer)
    void writeLater(run, slot, answer)
    return false
  } catch (error) {
    return failCommit(run, error)
  }
}

async function writeLater<Call, Execution, Settled, Result>(
  run: Run<Call, Execution, Settled, Result>,
  slot: Slot<Call, Execution, Settled>,
  answer: PromiseLike<Result>,
): Promise<void> {
  let ended: boolean
  try {
    ended = write(run, slot, await answer)
  } catch (error) {
    ended = failCommit(run, error)
  }
  if (ended) leaveLane(run)
}

function write<Call, Execution, Settled, Result>(
  run: Run<Call, Execution, Settled, Result>,
  slot: Slot<Call, Execution, Settled>,
  result: Result,
): boolean {
  run.lastCommit.result = result
  run.lastCommit.stage = 'committed'
  if (hasFailed(run)) return true
  const written = run.journal.committed(slot.call, result)
  if (isThenable(written)) {
    void closeLater(run, slot, written)
    return false
  }
  close(run, slot)
  return true
}

async function closeLater<Call, Execution, Settled, Result>(
  run: Run<Call, Execution, Settled, Result>,
  slot: Slot<Call, Execution, Settled>,
  written: PromiseLike<unknown>,
): Promise<void> {
  try {
    await written
    close(run, slot)
  } catch (error) {
    failCommit(run, error)
  }
  leaveLane(run)
}

function failCommit<Call, Execution, Settled, Result>(
  run: Run<Call, Execution, Settled, Result>,
  error: unknown,
): true {
  run.lastCommit.failed = true
  fail(run, error)
  return true
}

function close<Call, Execution, Settled, Result>(
  run: Run<Call, Execution, Settled, Result>,
  slot: Slot<Call, Execution, Settled>,
): void {
  const { outcome } = run.lastCommit
  slot.commit = 'closed'
  run.front = slot.next
  if (slot.next === undefined) run.back = undefined
  // A body that was abandoned keeps its slot alive: it must not keep all later ones alive too.
  slot.next = undefined
  if (slot.final && slot.outcome !== outcome) void tellLate(run, slot)
}

function skip<Call, Execution, Settled, Result>(run: Run<Call, Execution, Settled, Result>): boolean {
  try {
    const written = run.journal.skipped(run.calls[run.started + run.skipped] as Call)
    if (isThenable(written)) {
      void skipLater(run, written)
      return false
    }
    run.skipped += 1
  } catch (error) {
    fail(run, error)
  }
  return true
}

async function skipLater<Call, Execution, Settled, Result>(
  run: Run<Call, Execution, Settled, Result>,
  written: PromiseLike<unknown>,
): Promise<void> {
  try {
    await written
    run.skipped += 1
  } catch (error) {
    fail(run, error)
  }
  leaveLane(run)
}

function leaveLane<Call, Execution, Settled, Result>(run: Run<Call, Execution, Settled, Result>): void {
  run.ending = false
  run.advance()
}
