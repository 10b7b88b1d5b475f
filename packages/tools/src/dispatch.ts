import { type Awaitable, type Dispatched } from '@agent-spine/scheduler'
import { HarnessError } from '@agent-spine/schema'
import { type Batch } from './batch.js'
import { BodyRun } from './body-run.js'
import { type Execution, isAdmitted, type ToolSettled } from './execution.js'
import { busyOutcome } from './prepare.js'
import { neverRan } from './run-outcome.js'

/** Turns an execution into what its hooks and its body come to. */
export function dispatch(
  batch: Batch,
  execution: Execution,
  signal: AbortSignal,
): Awaitable<Dispatched<ToolSettled>> {
  if (!isAdmitted(execution) || execution.run) {
    throw new HarnessError('STAGE_ORDER', 'dispatch takes an execution that prepare let through, once')
  }
  if (signal.aborted) return neverRan()
  const left = batch.busy.blocker(execution.mode)
  if (left) return { kind: 'post-result', settled: { outcome: busyOutcome(left), ran: false } }
  const run = new BodyRun(batch, execution, signal)
  execution.run = run
  return run.start()
}

/** What to commit for an execution that nobody waits for any longer. */
export function abandon(execution: Execution): Dispatched<ToolSettled> {
  return execution.run?.abandon() ?? neverRan()
}
