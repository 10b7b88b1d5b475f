import type { LanguageModel, ModelConfig } from '@agent-spine/model'
import type { Session } from '@agent-spine/session'
import type { ToolRuntime } from '@agent-spine/tools'
import type { AgentHooks } from './hooks.js'
import type { RetryPolicy } from './retry.js'

/** What an agent is made of. */
export interface AgentOptions {
  /** The conversation. The agent appends to it, and is the only one to drive it; closing it stays with the caller. */
  readonly session: Session
  readonly model: LanguageModel
  /** Default: no tools. */
  readonly tools?: ToolRuntime
  readonly system?: string
  /** Sampling and provider options of every request. */
  readonly config?: Partial<ModelConfig>
  /** Policy around turns; the first is the outermost. */
  readonly hooks?: AgentHooks | readonly AgentHooks[]
  /** Default: a failed model call is not tried again. */
  readonly retry?: RetryPolicy
  /** How many calls of one step may run at once: a positive integer, or a function read at each group. Default 10. */
  readonly maxParallelToolCalls?: number | (() => number)
  /** How many steps a turn may take before it ends `max-steps`. Default 100. */
  readonly maxSteps?: number
  /** How long calls that run may take to stop after a cancel, before their outcome counts as unknown. Default 30 000. */
  readonly abortGraceMs?: number
  /** While it is aborted, what the agent does is cancelled with cause `parent`. */
  readonly signal?: AbortSignal
  /** Makes the ids of messages and queued input. Default `crypto.randomUUID`. */
  readonly newId?: () => string
}
