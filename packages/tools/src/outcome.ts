import {
  DENIED,
  INVALID_ARGS,
  RESOURCE_BUSY,
  resultMessage,
  TOOL_ABORTED_BEFORE_DISPATCH,
  TOOL_NOT_STARTED,
  type ToolResultContent,
  UNKNOWN_TOOL,
  type UnrunCode,
  unrunError,
  unrunText,
  type UserMessage,
} from '@agent-spine/model'
import { type JsonValue } from '@agent-spine/schema'
import { textContent } from './content.js'
import { describeThrown } from './thrown.js'

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

/** An outcome that says why there is no value. */
export function errorOutcome(
  error: { readonly name: string; readonly code?: string },
  text: string,
): ToolOutcome {
  return Object.freeze({
    content: textContent(text),
    isError: true,
    error: Object.freeze({ name: error.name, ...(error.code !== undefined && { code: error.code }) }),
  })
}

/** What to commit for a call that no body answered, such as one that was skipped. */
export function unrunOutcome(code: UnrunCode): ToolOutcome {
  return errorOutcome(unrunError(code), unrunText(code))
}

/** What only the runtime may say: that a body did not run. A body that throws one of these codes did run. */
const neverRan: ReadonlySet<string> = new Set([
  INVALID_ARGS,
  UNKNOWN_TOOL,
  DENIED,
  RESOURCE_BUSY,
  TOOL_ABORTED_BEFORE_DISPATCH,
  TOOL_NOT_STARTED,
])

/** What a tool's own failure comes to: its name and message, and the code of a `HarnessError`. */
export function thrownOutcome(thrown: unknown): ToolOutcome {
  const { name, message, code } = describeThrown(thrown)
  return errorOutcome({ name, ...(code !== undefined && !neverRan.has(code) && { code }) }, message)
}

/** The complete result message of a call. Its id derives from the call's. */
export function toolResultMessage(callId: string, outcome: ToolOutcome): UserMessage {
  return resultMessage(callId, outcome)
}
