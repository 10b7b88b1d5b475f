import { type Awaitable } from '@agent-spine/scheduler'
import { type Batch } from './batch.js'
import { boundContent } from './content.js'
import { type Execution, type ToolSettled } from './execution.js'
import { type SettledCall } from './hooks.js'
import { type ToolOutcome } from './outcome.js'
import { decide, withheld } from './post-decision.js'
import { withinLimit } from './within-limit.js'

/*
 * Lets policy change an outcome, then closes it.
 *
 * F1. A hook that throws, that outlives its limit or that answers anything but a `PostDecision` withholds the output of
 *     a call that ran. A call that never ran has no output, and keeps the truth about why.
 * F2. A replaced value is checked and rendered like one that a body returned.
 * F3. Closing happens once for every outcome: content bounded, everything frozen, contexts and the end of the turn handed
 *     over, observers told.
 */

/** Turns an outcome that policy may change into the one to commit. */
export function finalize(batch: Batch, execution: Execution, settled: ToolSettled): Awaitable<ToolOutcome> {
  if (batch.hooks.every(hook => hook.postExecute === undefined)) return finish(batch, execution, settled)
  return throughPostHooks(batch, execution, settled).then(outcome =>
    finish(batch, execution, { ...settled, outcome }),
  )
}

/** Turns a final outcome into the one to commit. */
export function finish(batch: Batch, execution: Execution, { outcome }: ToolSettled): ToolOutcome {
  const { call, tool } = execution
  const content = tool ? tool.finalizeContent(outcome.content, outcome.isError ?? false) : outcome.content
  const closed: ToolOutcome = Object.freeze({
    ...outcome,
    content: boundContent(content, batch.contentLimits),
  })
  for (const context of execution.contexts.splice(0)) batch.options.context?.(call.callId, context)
  if (execution.concludesTurn && !closed.isError && !execution.committed)
    batch.options.concludeTurn?.(call.callId)
  execution.committed = true
  batch.observe(call, closed)
  return closed
}

async function throughPostHooks(
  batch: Batch,
  execution: Execution,
  { outcome, ran }: ToolSettled,
): Promise<ToolOutcome> {
  const limits = { limitMs: batch.hookLimitMs, startTimer: batch.startTimer }
  const call = settledCall(execution)
  let current = outcome
  for (const hook of batch.hooks) {
    if (!hook.postExecute) continue
    const seen = current
    const answer = await withinLimit<unknown>(() => hook.postExecute?.(call, seen), limits)
    const decided = decide(answer, { outcome: seen, ran, tool: execution.tool })
    if (decided.failure === undefined) {
      current = decided.outcome
      execution.contexts.push(...decided.contexts)
    } else if (ran) {
      return withheld(decided.failure)
    }
  }
  return current
}

function settledCall({ call, parentCallId, tool, args }: Execution): SettledCall {
  return {
    callId: call.callId,
    ...(parentCallId !== undefined && { parentCallId }),
    name: call.name,
    ...(tool && { tool }),
    ...(args && { args }),
  }
}
