import { type JsonValue } from '@agent-spine/schema'

/** One tool invocation as the model asked for it. */
export interface ToolCall {
  readonly callId: string
  readonly name: string
  /** The raw text the model wrote, JSON or not. */
  readonly arguments: string
}

/**
 * The value of a call's raw argument text: `{}` for empty text, and the raw text itself where it is not JSON, so that
 * validation can say what is wrong with it. Nothing is repaired by guess. Never throws.
 */
export declare function parseArguments(raw: string): JsonValue
