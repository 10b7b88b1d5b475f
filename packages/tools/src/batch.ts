import { type CallStages } from '@agent-spine/scheduler'
import { type AbortWatch } from './abort-watch.js'
import { type BindOptions } from './bound-tools.js'
import { type BusyBodies } from './busy.js'
import { type ContentLimits } from './content.js'
import { type Execution, type ToolSettled } from './execution.js'
import { type Approver, type ToolGuard, type ToolHooks } from './hooks.js'
import { type ToolOutcome } from './outcome.js'
import { type StartTimer } from './timer.js'
import { type Tool } from './tool.js'
import { type ToolCall } from './tool-call.js'

/** The tools that the calls of a batch can reach. */
export interface VisibleTools {
  get(name: string): Tool | undefined
  /** In order of name. */
  list(): readonly Tool[]
}

/** What a runtime lends to its batches. */
export interface RuntimeParts {
  readonly tools: VisibleTools
  readonly hooks: readonly ToolHooks[]
  readonly guards: readonly ToolGuard[]
  readonly approve: Approver | undefined
  readonly busy: BusyBodies
  readonly contentLimits: ContentLimits
  /** Never throws. */
  readonly observe: (call: ToolCall, outcome: ToolOutcome) => void
}

/** The stages as functions, with the executions that they really make. */
export type Stages = {
  readonly [Stage in keyof CallStages<ToolCall, Execution, ToolSettled, ToolOutcome>]: CallStages<
    ToolCall,
    Execution,
    ToolSettled,
    ToolOutcome
  >[Stage]
}

/** What the stages of one batch share. */
export interface Batch extends RuntimeParts {
  readonly options: BindOptions
  readonly abortGraceMs: number
  readonly hookLimitMs: number
  readonly approvalLimitMs: number
  readonly maxParallelSubCalls: number
  readonly startTimer: StartTimer
  readonly aborts: AbortWatch
  /** The call whose body made these calls. */
  readonly parentCallId?: string
  /** The stages of another batch: those of sub-calls. */
  readonly stages: (batch: Batch) => Stages
}
