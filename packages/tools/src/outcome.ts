import { type ToolResultContent, type UnrunCode, type UserMessage } from '@agent-spine/model'
import { type JsonValue } from '@agent-spine/schema'

/** What is committed for a call. Deeply frozen. */
export interface ToolOutcome {
  /** What the model reads: well-formed, capped, never empty. */
  readonly content: readonly ToolResultContent[]
  readonly isError?: true
  /** `code` is one of the constants of `@agent-spine/model`, or the code of a `HarnessError` that the body threw. */
  readonly error?: { readonly name: string; readonly code?: string }
  /** The body's value, on success. */
  readonly value?: JsonValue
  /** What `output.presentationMeta` made of the value, for user interfaces. */
  readonly meta?: JsonValue
}

/** What to commit for a call that no body answered, such as one that was skipped. */
export declare function unrunOutcome(code: UnrunCode): ToolOutcome

/** The complete result message of a call. Its id derives from the call's. */
export declare function toolResultMessage(callId: string, outcome: ToolOutcome): UserMessage
