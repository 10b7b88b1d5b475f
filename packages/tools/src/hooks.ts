import { type ToolResultContent } from '@agent-spine/model'
import { type JsonObject, type JsonValue } from '@agent-spine/schema'
import { type Awaitable } from '@agent-spine/scheduler'
import { type ToolOutcome } from './outcome.js'
import { type ContextMessage, type Tool } from './tool.js'

/** A call whose arguments fit, as hooks, guards and the approver see it. */
export interface CheckedCall {
  readonly callId: string
  /** The call whose body made this one. */
  readonly parentCallId?: string
  readonly tool: Tool
  /** Frozen. */
  readonly args: JsonObject
  /** Aborts when the call is cancelled. */
  readonly signal: AbortSignal
}

/** What a `preExecute` hook decides. Anything else that it returns denies the call. */
export type PreDecision =
  | { readonly kind: 'allow' }
  | { readonly kind: 'deny'; readonly reason: string }
  | { readonly kind: 'ask'; readonly reason?: string }

/** What an `execute` hook may change about the run it wraps. */
export interface NextOptions {
  /** Aborts the body too; the caller's own signal keeps doing so. */
  readonly signal?: AbortSignal
}

/** What a `postExecute` hook decides. Anything else that it returns withholds the result. */
export type PostDecision = (
  | { readonly kind: 'accept' }
  | { readonly kind: 'replace-content'; readonly content: string | readonly ToolResultContent[] }
  /** Checked against the tool's output schema and rendered again. */
  | { readonly kind: 'replace-value'; readonly value: JsonValue }
  | { readonly kind: 'block'; readonly feedback: string }
) & { readonly contexts?: readonly ContextMessage[] }

/** A call that has an outcome, as `postExecute` hooks see it. `tool` and `args` are missing where they never were valid. */
export interface SettledCall {
  readonly callId: string
  readonly parentCallId?: string
  readonly name: string
  readonly tool?: Tool
  readonly args?: JsonObject
}

/** Policy around tool calls. Hooks of several objects run in list order; `execute` hooks nest, the first outermost. */
export interface ToolHooks {
  /** Before the body, in call order. The strictest decision wins. A throw, or no answer within the limit, denies. */
  preExecute?(call: CheckedCall): Awaitable<PreDecision>
  /** Around the body; overlaps with other calls. Answers the value, usually that of `next`. */
  execute?(call: CheckedCall, next: (options?: NextOptions) => Promise<JsonValue>): Promise<JsonValue>
  /** After the body, in call order. A throw, or no answer within the limit, withholds the result. */
  postExecute?(call: SettledCall, outcome: ToolOutcome): Awaitable<PostDecision>
}

/** Runs after the `preExecute` hooks and can only deny. Anything but `undefined` denies. */
export type ToolGuard = (
  call: CheckedCall,
) => Awaitable<{ readonly kind: 'deny'; readonly reason: string } | undefined>

/** A call that a hook asked about. */
export interface ApprovalRequest {
  readonly call: CheckedCall
  readonly reasons: readonly string[]
}

/** Answers for the user. Anything but `{ kind: 'allow' }` denies, and so do a throw and no answer within the limit. */
export type Approver = (
  request: ApprovalRequest,
) => Awaitable<{ readonly kind: 'allow' } | { readonly kind: 'deny'; readonly reason?: string }>
