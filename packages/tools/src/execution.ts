import { type Dispatched, type ExecutionMode } from '@agent-spine/scheduler'
import { type JsonObject } from '@agent-spine/schema'
import { type CheckedCall } from './hooks.js'
import { type ToolOutcome } from './outcome.js'
import { type ContextMessage, type Tool } from './tool.js'
import { type ToolCall } from './tool-call.js'

/** One call on its way through the stages. */
export interface ToolExecution {
  readonly call: ToolCall
  readonly mode: ExecutionMode
  /** The call whose body made this one. */
  readonly parentCallId?: string
  /** Missing where no tool of that name was visible. */
  readonly tool?: Tool
  /** Frozen. Missing where they did not fit. */
  readonly args?: JsonObject
}

/** What a stage knows of a call before policy has its last word. */
export interface ToolSettled {
  readonly outcome: ToolOutcome
  /** Whether the body was started, or a hook answered in its place. */
  readonly ran: boolean
}

/** An execution, with what its body asks for while it runs. */
export interface Execution extends ToolExecution {
  /** Set by dispatch. */
  run: { abandon(): Dispatched<ToolSettled> } | undefined
  /** Waits for the commit. */
  readonly contexts: ContextMessage[]
  concludesTurn: boolean
  committed: boolean
  subCallCount: number
}

/** An execution that prepare let through. */
export type AdmittedExecution = Execution & { readonly tool: Tool; readonly args: JsonObject }

type Started = Pick<ToolExecution, 'call' | 'mode'>

interface Parent {
  readonly parentCallId?: string
}

/** A call at its start, whose arguments do not fit, or of which not even the tool is known. */
export function newExecution({ parentCallId }: Parent, { call, mode }: Started, tool?: Tool): Execution {
  return {
    call,
    mode,
    ...(parentCallId !== undefined && { parentCallId }),
    ...(tool && { tool }),
    contexts: [],
    concludesTurn: false,
    committed: false,
    subCallCount: 0,
    run: undefined,
  }
}

/** A call at its start, whose arguments fit. Spelt out: V8 takes a microsecond to add fields to what was just spread. */
export function fittingExecution(
  { parentCallId }: Parent,
  { call, mode }: Started,
  { tool, args }: Pick<AdmittedExecution, 'tool' | 'args'>,
): AdmittedExecution {
  const execution: AdmittedExecution = {
    call,
    mode,
    tool,
    args,
    contexts: [],
    concludesTurn: false,
    committed: false,
    subCallCount: 0,
    run: undefined,
  }
  return parentCallId === undefined ? execution : { ...execution, parentCallId }
}

/** Whether prepare let this execution through. */
export function isAdmitted(execution: Execution): execution is AdmittedExecution {
  return execution.tool !== undefined && execution.args !== undefined
}

/** What hooks are told of a call that prepare let through. */
export function checkedCall(
  { call: { callId }, parentCallId, tool, args }: AdmittedExecution,
  signal: AbortSignal,
): CheckedCall {
  const checked = { callId, tool, args, signal }
  return parentCallId === undefined ? checked : { ...checked, parentCallId }
}
