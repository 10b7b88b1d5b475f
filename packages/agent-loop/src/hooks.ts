import type { LlmFailure, ModelConfig } from '@agent-spine/model'
import type { AttemptScope, QueuedInput, Session, StepScope } from '@agent-spine/session'
import type { AgentInput } from './input.js'
import { untilAborted } from './abort.js'

/** What every hook is told. */
export interface HookContext extends StepScope {
  readonly session: Session
  /** Aborts when the turn is cancelled. A hook that does not stop then is not waited for. */
  readonly signal: AbortSignal
}

export interface PreStepContext extends HookContext {
  /** What was queued for this step. Empty where the step only answers tool calls. */
  readonly input: readonly QueuedInput[]
}

/** What a `preStep` hook decides about a step. */
export type StepEntry =
  | {
      readonly kind: 'enter'
      /** The input as it enters, by `inboxId`: content may be rewritten; input left out is discarded. */
      readonly input: readonly QueuedInput[]
      /** Messages of the hook's own, after the input. */
      readonly added?: readonly AgentInput[]
    }
  /** The turn ends `blocked`, and the user's input is discarded. */
  | { readonly kind: 'reject' }

export interface RequestContext extends HookContext, AttemptScope {
  readonly config: ModelConfig
}

export interface RequestErrorContext extends HookContext, AttemptScope {
  readonly failure: LlmFailure
}

/** What becomes of a failed attempt. */
export type ErrorDecision = { readonly kind: 'fail' } | { readonly kind: 'retry'; readonly delayMs?: number }

/** Whether a turn that has nothing more to do ends, or goes on with a message of the hook's. */
export type StopDecision =
  { readonly kind: 'stop' } | { readonly kind: 'continue'; readonly message: AgentInput }

/**
 * Policy of a turn. Hooks of several objects nest in list order, the first outermost: each calls `next()` for what those
 * after it decide, or decides alone. A hook that throws fails the step, never the process. Tool hooks belong to the tool
 * runtime.
 */
export interface AgentHooks {
  /** Before a step takes its input. */
  preStep?(context: PreStepContext, next: () => Promise<StepEntry>): Promise<StepEntry>
  /** Before each attempt: may change the config, and nothing else of the request. */
  request?(context: RequestContext, next: () => Promise<ModelConfig>): Promise<ModelConfig>
  /** After a failed attempt. Innermost is the retry policy. */
  requestError?(context: RequestErrorContext, next: () => Promise<ErrorDecision>): Promise<ErrorDecision>
  /** Before a turn ends that could have completed. */
  turnStopping?(context: HookContext, next: () => Promise<StopDecision>): Promise<StopDecision>
  /**
   * After a `CONTEXT_OVERFLOW`: makes the conversation shorter at once, by appending to `context.session` a message that
   * replaces a range of the surface. Answers whether it did; then the step asks the model again.
   */
  compact?(context: RequestErrorContext, next: () => Promise<boolean>): Promise<boolean>
}

type Layer<Context, Decision> = (context: Context, next: () => Promise<Decision>) => Promise<Decision>

/** Runs the layers around `innermost`. Rejects with the signal's reason once it aborts, whatever the layers do. */
export function runHooks<Context extends { readonly signal: AbortSignal }, Decision>(
  layers: readonly Layer<Context, Decision>[],
  context: Context,
  innermost: () => Promise<Decision>,
): Promise<Decision> {
  const enter = async (index: number): Promise<Decision> => {
    const layer = layers[index]
    return layer === undefined ? innermost() : layer(context, () => enter(index + 1))
  }
  return untilAborted(enter(0), context.signal)
}

/** The layers that the objects of `hooks` have under `name`. */
export function hookLayers<Name extends keyof AgentHooks>(
  hooks: readonly AgentHooks[],
  name: Name,
): NonNullable<AgentHooks[Name]>[] {
  return hooks.flatMap(object => {
    const layer = object[name]
    return layer === undefined ? [] : [layer.bind(object) as NonNullable<AgentHooks[Name]>]
  })
}
