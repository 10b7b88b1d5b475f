import type { JsonObject } from '@agent-spine/schema'
import type { StreamChunk } from './chunk.js'
import type { Message } from './message.js'

/** What a model is told of a tool. */
export interface ToolSchema {
  readonly name: string
  readonly description: string
  /** JSON Schema of an object. */
  readonly parameters: JsonObject
}

/** Which tool the model may or must call. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly tool: string }

/** Everything about a request that is not conversation: which model, and how it samples. */
export interface ModelConfig {
  readonly provider: string
  readonly model: string
  readonly temperature?: number
  readonly topP?: number
  readonly topK?: number
  readonly presencePenalty?: number
  readonly frequencyPenalty?: number
  readonly seed?: number
  readonly maxOutputTokens?: number
  readonly stopSequences?: readonly string[]
  readonly toolChoice?: ToolChoice
  /** Passed on as it is, by provider name. */
  readonly providerOptions?: JsonObject
}

/** One model call. Frozen; `messages` is what the session's log derives. */
export interface ModelRequest {
  readonly messages: readonly Message[]
  readonly system?: string
  readonly tools?: readonly ToolSchema[]
  readonly config: ModelConfig
  readonly sessionId: string
  readonly signal: AbortSignal
}

/**
 * The port a model is reached through. `stream` yields chunks as they come, ends with one `finish`, stops soon after
 * `request.signal` aborts, and throws {@link LlmError} for a failure it did not report as a `finish`.
 */
export interface LanguageModel {
  readonly provider: string
  readonly modelId: string
  stream(request: ModelRequest): AsyncIterable<StreamChunk>
}
