import type { JsonObject, JsonValue } from '@agent-spine/schema'

/**
 * A language model of the AI SDK: `LanguageModelV2`, `V3` or `V4` of `@ai-sdk/provider`, by shape, so that none of its
 * versions has to be installed.
 */
export interface AiSdkModel {
  readonly specificationVersion: 'v2' | 'v3' | 'v4'
  readonly provider: string
  readonly modelId: string
  // A method, and of `never`: each version's own options are a parameter that this one accepts.
  doStream(options: never): PromiseLike<{ readonly stream: ReadableStream<unknown> }>
}

/** Provider state of one piece of a prompt or an answer, by provider name. */
export type ProviderOptions = Record<string, Record<string, JsonValue>>

/** What is common to the call options of all versions. */
export interface CallOptions {
  prompt: PromptMessage[]
  maxOutputTokens?: number
  temperature?: number
  stopSequences?: string[]
  topP?: number
  topK?: number
  presencePenalty?: number
  frequencyPenalty?: number
  seed?: number
  tools?: FunctionTool[]
  toolChoice?: { type: 'auto' } | { type: 'none' } | { type: 'required' } | { type: 'tool'; toolName: string }
  abortSignal: AbortSignal
  providerOptions?: ProviderOptions
}

export interface FunctionTool {
  type: 'function'
  name: string
  description: string
  inputSchema: JsonObject
}

export type PromptMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: (TextPart | FilePart)[] }
  | { role: 'assistant'; content: (TextPart | ReasoningPart | ToolCallPart)[] }
  | { role: 'tool'; content: ToolResultPart[] }

export interface TextPart {
  type: 'text'
  text: string
  providerOptions?: ProviderOptions
}

export interface ReasoningPart {
  type: 'reasoning'
  text: string
  providerOptions?: ProviderOptions
}

export interface ToolCallPart {
  type: 'tool-call'
  toolCallId: string
  toolName: string
  input: JsonObject
  providerOptions?: ProviderOptions
}

/** `data` is base64 or an address; version 4 says which. */
export interface FilePart {
  type: 'file'
  mediaType: string
  data: string | URL | FileData
}

export type FileData = { type: 'data'; data: string } | { type: 'url'; url: URL }

export interface ToolResultPart {
  type: 'tool-result'
  toolCallId: string
  toolName: string
  output: ToolResultOutput
}

export type ToolResultOutput =
  { type: 'text' | 'error-text'; value: string } | { type: 'content'; value: ToolResultItem[] }

/** What an output of type `content` may hold: the image parts of versions 2, 3 and 4. */
export type ToolResultItem =
  | { type: 'text'; text: string }
  | { type: 'media' | 'image-data'; data: string; mediaType: string }
  | { type: 'image-url'; url: string }
  | { type: 'file'; data: FileData; mediaType: string }
