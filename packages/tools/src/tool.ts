import { type ToolResultContent, type UserBlock } from '@agent-spine/model'
import { type JsonObject, type JsonSchemaNode, type JsonValue } from '@agent-spine/schema'
import { type ToolOutcome } from './outcome.js'
import { type ToolCallView, type ToolResultView } from './views.js'

/** A call that a tool's body makes. `arguments` is a value, or the raw text of one. */
export interface SubCallRequest {
  readonly name: string
  readonly arguments: JsonObject | string
}

/** What a tool's body gets beside its arguments. */
export interface ToolContext {
  /** Aborts when the call is cancelled or its time is up. A body should stop then, and throw the signal's reason. */
  readonly signal: AbortSignal
  readonly callId: string
  /** Tells a user interface how far the body is. Not shown to the model. */
  progress(update: JsonValue): void
  /** Gives the model a message of its own at the next step, after the results of this batch. */
  deferContext(message: string | readonly UserBlock[]): void
  /** Ends the turn after this batch, provided that this call succeeds. */
  concludeTurn(): void
  /**
   * Runs calls of other tools under the same rules (hooks, approval, order, cap, abort) and answers their outcomes in
   * order. Calls still running when the body ends are cancelled.
   */
  callTools(calls: readonly SubCallRequest[]): Promise<readonly ToolOutcome[]>
}

/** A value of a tool, checked, with what the model reads of it. */
export interface ToolOutput {
  /** A frozen copy. */
  readonly value: JsonValue
  readonly content: readonly ToolResultContent[]
  readonly meta?: JsonValue
}

/** What a result view is made from. All of it can be read back from a log. */
export interface PresentableResult {
  readonly content: readonly ToolResultContent[]
  readonly isError?: true
  readonly meta?: JsonValue
}

/**
 * A tool, with the types of its arguments erased so that different tools fit one list. `defineTool` makes it. Every
 * method takes untrusted values.
 */
export interface Tool {
  readonly name: string
  readonly description: string
  /** Frozen JSON Schema of the arguments: an object. */
  readonly parameters: JsonSchemaNode
  /** Frozen JSON Schema of the value, where one was declared. */
  readonly outputSchema?: JsonSchemaNode
  /** How long a body may run, in milliseconds. */
  readonly timeoutMs?: number
  /** What is wrong with `args`: at most 20 sentences and `and N more`; empty when they fit. Never throws. */
  violations(args: unknown): readonly string[]
  /** Whether the call may overlap with others. `false` for arguments that do not fit or a classifier that throws. */
  isConcurrencySafe(args: unknown): boolean
  /** Calls with one key never overlap. Throws what the author's function throws. */
  conflictKey(args: unknown): string | undefined
  /**
   * Checks the arguments, runs the body and checks its value.
   *
   * @throws ToolArgsError before the body, if the arguments do not fit; ToolOutputError if the value does not; and
   *   whatever the body throws.
   */
  execute(args: unknown, context?: Partial<ToolContext>): Promise<JsonValue>
  /** Checks a value, copies it and renders it for the model. @throws ToolOutputError */
  output(value: unknown): ToolOutput
  /** Last word on the content the model reads. Throws what the author's function throws. */
  finalizeContent(content: readonly ToolResultContent[], isError: boolean): readonly ToolResultContent[]
  /** `undefined` for arguments that do not fit, for a presenter that throws, and without one. */
  presentCall(args: unknown): ToolCallView | undefined
  /** `undefined` as for `presentCall`. */
  presentResult(args: unknown, result: PresentableResult): ToolResultView | undefined
}
