import { DENIED, RESOURCE_BUSY, TOOL_ABORTED_BEFORE_DISPATCH, UNKNOWN_TOOL } from '@agent-spine/model'
import { type Awaitable, type Preparation } from '@agent-spine/scheduler'
import { type Batch } from './batch.js'
import { type LeftBody } from './busy.js'
import { type CallClassifier } from './classify.js'
import { closestNames } from './closest-names.js'
import { ToolArgsError } from './errors.js'
import { type Execution, fittingExecution, newExecution, type ToolSettled } from './execution.js'
import { errorOutcome, type ToolOutcome, unrunOutcome } from './outcome.js'
import { type Permission, permit } from './permit.js'
import { isThenable } from './thenable.js'
import { type CheckedArguments, type Tool } from './tool.js'
import { withinLimit } from './within-limit.js'

type Prepared = Preparation<Execution, ToolSettled>

/** What the scheduler knows of a call that it starts. */
export interface StartedCall extends Pick<Execution, 'call' | 'mode'> {
  /** Aborts when the call is cancelled, and also when the batch fails. */
  readonly signal: AbortSignal
}

/** Turns a started call into an execution that may run, or into the reason why it may not. */
export function prepare(batch: Batch, classifier: CallClassifier, started: StartedCall): Awaitable<Prepared> {
  const { call } = started
  const resolved = classifier.resolve(call)
  classifier.forget(call)
  if (!resolved.tool) return refused(newExecution(batch, started), unknownTool(batch, call.name))
  const { tool, checked } = resolved
  return checked.decided
    ? decideLater(batch, { started, tool, checked, decided: checked.decided })
    : decide(batch, { started, tool, checked })
}

interface Verdict {
  readonly started: StartedCall
  readonly tool: Tool
  readonly checked: CheckedArguments
}

function decide(batch: Batch, { started, tool, checked }: Verdict): Awaitable<Prepared> {
  if (checked.violations)
    return refused(newExecution(batch, started, tool), invalidArguments(tool.name, checked.violations))
  const execution = fittingExecution(batch, started, { tool, args: checked.args })
  const left = batch.busy.blocker(execution.mode)
  if (left) return refused(execution, busyOutcome(left))
  const permission = permit(batch, execution, started.signal)
  return isThenable(permission)
    ? permission.then(answer => permitted(execution, answer))
    : permitted(execution, permission)
}

/** Waits for a schema that answers with a promise, no longer than for a hook. */
async function decideLater(
  batch: Batch,
  { started, tool, checked, decided }: Verdict & { readonly decided: Promise<CheckedArguments> },
): Promise<Prepared> {
  const { hookLimitMs: limitMs, startTimer } = batch
  const answer = await withinLimit(() => decided, { limitMs, startTimer, signal: started.signal })
  if (answer.kind === 'aborted') return permitted(newExecution(batch, started, tool), { kind: 'aborted' })
  return decide(batch, { started, tool, checked: answer.kind === 'value' ? answer.value : checked })
}

function permitted(execution: Execution, permission: Permission): Prepared {
  switch (permission.kind) {
    case 'allow':
      return { kind: 'dispatch', execution }
    case 'deny':
      return refused(execution, deniedOutcome(permission.reason))
    case 'aborted':
      return {
        kind: 'final-result',
        execution,
        settled: neverRan(unrunOutcome(TOOL_ABORTED_BEFORE_DISPATCH)),
      }
  }
}

function refused(execution: Execution, outcome: ToolOutcome): Prepared {
  return { kind: 'post-result', execution, settled: neverRan(outcome) }
}

function neverRan(outcome: ToolOutcome): ToolSettled {
  return { outcome, ran: false }
}

function unknownTool(batch: Batch, name: string): ToolOutcome {
  const closest = closestNames(
    name,
    batch.tools.list().map(tool => tool.name),
  )
  const hint =
    closest.length > 0 ? `The closest available tools: ${closest.join(', ')}.` : 'No tool is available.'
  return errorOutcome(
    { name: 'ToolError', code: UNKNOWN_TOOL },
    `There is no tool "${name.slice(0, 100)}"; nothing ran. ${hint}`,
  )
}

function invalidArguments(toolName: string, violations: readonly string[]): ToolOutcome {
  const { name, code, message } = new ToolArgsError(toolName, violations)
  return errorOutcome({ name, code }, message)
}

function deniedOutcome(reason: string): ToolOutcome {
  return errorOutcome({ name: 'ToolError', code: DENIED }, `This call was denied and did not run: ${reason}`)
}

/** What a call comes to that would race a body which was left running. */
export function busyOutcome(left: LeftBody): ToolOutcome {
  return errorOutcome(
    { name: 'ToolError', code: RESOURCE_BUSY },
    `This call did not run: an earlier call of "${left.toolName}" (${left.callId}) was given up, is still running and ` +
      'holds what this call needs. Try again later.',
  )
}
