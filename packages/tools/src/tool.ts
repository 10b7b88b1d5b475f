import { type ToolResultContent } from '@agent-spine/model'
import { type JsonObject, type JsonSchemaNode, type JsonValue, type SchemaChange } from '@agent-spine/schema'
import { type ToolOutcome } from './outcome.js'
import { type ToolCallView, type ToolResultView } from './views.js'

/** A message for the model at the next step: text, or blocks of text and images. */
export type ContextMessage = string | readonly ToolResultContent[]

/** A call that a tool's body makes. `arguments` is an object, or its raw text. */
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
  readonly progress: (update: JsonValue) => void
  /** Gives the model a message of its own at the next step, after the results of this batch. */
  readonly deferContext: (message: ContextMessage) => void
  /** Ends the turn after this batch, provided that this call succeeds. */
  readonly concludeTurn: () => void
  /**
   * Runs calls of other tools under the same rules (hooks, approval, order, cap, abort) and answers their outcomes in
   * order. Calls still running when the body ends are cancelled.
   */
  readonly callTools: (calls: readonly SubCallRequest[]) => Promise<readonly ToolOutcome[]>
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

/** Arguments that fit, as a frozen copy, or what is wrong with them. */
export type CheckedArguments =
  | { readonly args: JsonObject; readonly violations?: never; readonly decided?: never }
  | {
      readonly violations: readonly string[]
      /** The verdict to come, where the tool's schema answers with a promise. Until then the arguments do not fit. Never rejects. */
      readonly decided?: Promise<CheckedArguments>
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
  /** Where `parameters` came from another library: what of its schema had to be changed. */
  readonly schemaChanges: readonly SchemaChange[]
  /** Frozen JSON Schema of the value, where one was declared. */
  readonly outputSchema?: JsonSchemaNode
  /** How long a body may run, in milliseconds. */
  readonly timeoutMs?: number
  /** Never throws. Lists at most 20 violations, then `and N more`. Checking the same frozen copy again costs nothing. */
  readonly check: (args: unknown) => CheckedArguments
  /** Whether the call may overlap with others. `false` for arguments that do not fit and for a classifier that throws. */
  readonly isConcurrencySafe: (args: unknown) => boolean
  /** Calls with one key never overlap. Throws what the author's function throws, and for anything but text. */
  readonly conflictKey: (args: unknown) => string | undefined
  /**
   * Checks the arguments, runs the body and checks its value. Without a context, nothing cancels the body, and its
   * `callTools` is refused.
   *
   * @throws ToolArgsError before the body, if the arguments do not fit; ToolOutputError if the value does not; and
   *   whatever the body throws.
   */
  readonly execute: (args: unknown, context?: Partial<ToolContext>) => Promise<JsonValue>
  /** Checks a value, copies it and renders it. @throws ToolOutputError */
  readonly render: (value: unknown) => ToolOutput
  /** The author's last word on what the model reads; `content` itself where there is none or it fails. Never throws. */
  readonly finalizeContent: (
    content: readonly ToolResultContent[],
    isError: boolean,
  ) => readonly ToolResultContent[]
  /** `undefined` for arguments that do not fit, for a presenter that throws, and without one. */
  readonly presentCall: (args: unknown) => ToolCallView | undefined
  /** `undefined` as for `presentCall`. */
  readonly presentResult: (args: unknown, result: PresentableResult) => ToolResultView | undefined
}
