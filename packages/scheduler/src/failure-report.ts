import { type FailureReport, type UncommittedCall } from './call-journal.js'
import { type Dispatched } from './call-stages.js'
import { type Run, type Slot, fail } from './run.js'
import { abandon } from './truth.js'

/** Closes every open call of a failed run, and says what is really known of each (S9). */
export function closeFailed<Call, Execution, Settled, Result>(
  run: Run<Call, Execution, Settled, Result>,
): FailureReport<Call, Execution, Settled, Result> {
  const settled: UncommittedCall<Call, Execution, Settled, Result>[] = []
  const rejected: { call: Call; execution: Execution; error: unknown }[] = []
  const unresolved: { call: Call; execution: Execution }[] = []
  const notDispatched: { call: Call; execution?: Execution }[] = []
  for (let slot = run.front; slot !== undefined; slot = slot.next) {
    const { call } = slot
    const execution = slot.execution as Execution
    switch (slot.phase) {
      case 'starting':
        notDispatched.push({ call })
        break
      case 'waiting':
        notDispatched.push({ call, execution })
        break
      case 'running':
        abandonUnresolved(run, slot)
        unresolved.push({ call, execution })
        break
      case 'settled':
        settled.push(uncommitted(run, slot))
        break
      case 'rejected':
        rejected.push({ call, execution, error: slot.error })
        break
    }
    slot.commit = 'closed'
  }
  const notStarted = run.calls.slice(run.started + run.skipped)
  const errors = [...run.errors]
  return { error: errors[0], errors, settled, rejected, unresolved, notDispatched, notStarted }
}

function abandonUnresolved<Call, Execution, Settled, Result>(
  run: Run<Call, Execution, Settled, Result>,
  slot: Slot<Call, Execution, Settled>,
): void {
  // A commit that was cut short has abandoned its call already.
  if (slot.commit === 'begun') return
  try {
    abandon(run, slot)
  } catch (error) {
    fail(run, error)
  }
}

function uncommitted<Call, Execution, Settled, Result>(
  run: Run<Call, Execution, Settled, Result>,
  slot: Slot<Call, Execution, Settled>,
): UncommittedCall<Call, Execution, Settled, Result> {
  const { lastCommit } = run
  const outcome = slot.outcome as Dispatched<Settled>
  const { kind, settled } = outcome
  const known = { call: slot.call, execution: slot.execution as Execution, kind, settled }
  // What a commit made of a guess says nothing of the truth that has come since.
  if (lastCommit.outcome !== outcome) return known
  return {
    ...known,
    ...(lastCommit.stage === 'committed' ? { result: lastCommit.result as Result } : {}),
    ...(lastCommit.failed ? { failedStage: lastCommit.stage } : {}),
  }
}
