import type { LanguageModel, ModelConfig } from '@agent-spine/model'
import type { Session, StepScope } from '@agent-spine/session'
import type { ToolRuntime } from '@agent-spine/tools'
import type { AgentEvent } from './agent-events.js'
import type { CallIdentity } from './call-identity.js'
import type { AgentHooks } from './hooks.js'
import type { Inbox } from './inbox.js'
import type { RetryPolicy } from './retry.js'

/** What the turns of one agent share. */
export interface Loop {
  readonly session: Session
  readonly model: LanguageModel
  readonly tools: ToolRuntime
  readonly system: string | undefined
  readonly config: ModelConfig
  readonly hooks: readonly AgentHooks[]
  readonly retry: RetryPolicy | undefined
  readonly maxSteps: number
  readonly maxParallelToolCalls: number | (() => number) | undefined
  readonly abortGraceMs: number | undefined
  readonly inbox: Inbox
  readonly callIdentity: CallIdentity
  readonly newId: () => string
  readonly emit: (event: AgentEvent) => void
}

/** One turn on its way. */
export interface Turn {
  readonly loop: Loop
  readonly turn: number
  /** Aborts when the turn is cancelled. */
  readonly signal: AbortSignal
  /** The input that this turn looked at, by `inboxId`. */
  readonly looked: Set<string>
  /** Input left the inbox for this turn, or there was none left to take. */
  tookInput: boolean
  /** An answer of this turn was cut by `max-tokens`. */
  cut: boolean
}

/** One step of it. */
export interface Step {
  readonly turn: Turn
  readonly scope: StepScope
  /** How often `compact` hooks were asked. */
  compactions: number
}
