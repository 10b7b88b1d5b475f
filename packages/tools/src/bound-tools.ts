import { type CallStages, type ExecutionMode } from '@agent-spine/scheduler'
import { type JsonValue } from '@agent-spine/schema'
import { type ToolExecution, type ToolSettled } from './execution.js'
import { type ToolOutcome } from './outcome.js'
import { type StartTimer } from './timer.js'
import { type ToolCall } from './tool-call.js'
import { type ContextMessage } from './tool.js'

/** What happened to a call that a tool's body made. */
export type SubCallEvent =
  | { readonly kind: 'call'; readonly parentCallId: string; readonly call: ToolCall; readonly skipped?: true }
  | {
      readonly kind: 'result'
      readonly parentCallId: string
      readonly call: ToolCall
      readonly outcome: ToolOutcome
      /** The truth about a call that was committed on a guess. */
      readonly late?: true
    }

/** What ties the stages to one batch. Everything is optional. */
export interface BindOptions {
  /** The one seam to a log: awaited once, immediately before a call's body. If it fails, the whole batch fails. */
  readonly beforeBody?: ((callId: string) => void | PromiseLike<void>) | undefined
  /** How long a body that was told to stop may take, after a time limit. Default 30 000. */
  readonly abortGraceMs?: number
  /** How long one hook or guard may take. Default 30 000. */
  readonly hookLimitMs?: number
  /** How long the approver may take. Default: for as long as it takes. */
  readonly approvalLimitMs?: number
  /** Default 10. */
  readonly maxParallelSubCalls?: number
  /** Told of calls that bodies make; `call` always before `result`. A throw is a bug of the log and fails the whole batch. */
  readonly subCall?: (event: SubCallEvent) => void
  /** Told of progress. What it throws is dropped. */
  readonly progress?: (callId: string, update: JsonValue) => void
  /** Given the messages for the next step, in call order, while their call is committed. */
  readonly context?: (callId: string, message: ContextMessage) => void
  /** A call that succeeded ends the turn after this batch. */
  readonly concludeTurn?: (callId: string) => void
  /** The clock. Default `setTimeout`. */
  readonly startTimer?: StartTimer
}

/** The stages of one batch, as `runStagedCalls` takes them. */
export interface BoundTools extends CallStages<ToolCall, ToolExecution, ToolSettled, ToolOutcome> {
  /** The same as `mode`. */
  executionMode(call: ToolCall): ExecutionMode
}
