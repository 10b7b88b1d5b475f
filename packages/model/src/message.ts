import type { JsonValue } from '@agent-spine/schema'

/** Visible text. */
export interface TextBlock {
  readonly type: 'text'
  readonly text: string
  /** Opaque provider state; see {@link AssistantBlock}. */
  readonly replay?: JsonValue
}

/** The model's reasoning, as far as the provider shows it. */
export interface ReasoningBlock {
  readonly type: 'reasoning'
  readonly text: string
  /** Opaque provider state, such as a signature without which the provider refuses the block. */
  readonly replay?: JsonValue
}

/** An image, inline as base64 or by address. */
export interface ImageBlock {
  readonly type: 'image'
  /** IANA media type, for example `image/png`. */
  readonly mediaType: string
  readonly data:
    { readonly kind: 'base64'; readonly base64: string } | { readonly kind: 'url'; readonly url: string }
}

/** One tool invocation the model asked for. */
export interface ToolCallBlock {
  readonly type: 'tool-call'
  /** Unique within the session, `[A-Za-z0-9_-]{1,64}`. */
  readonly id: string
  /** The provider's own id, where `id` had to differ from it. */
  readonly providerId?: string
  readonly name: string
  /** The raw text the model wrote, JSON or not. */
  readonly arguments: string
  readonly replay?: JsonValue
}

/** What a call came to. */
export interface ToolResultBlock {
  readonly type: 'tool-result'
  readonly toolCallId: string
  readonly content: readonly ToolResultContent[]
  readonly isError?: true
}

/** What a tool may answer with. */
export type ToolResultContent = TextBlock | ImageBlock

/**
 * A block an assistant message may hold. `replay` is kept verbatim and sent back only to the provider and model that
 * the message's `source` names.
 */
export type AssistantBlock = TextBlock | ReasoningBlock | ImageBlock | ToolCallBlock

/** A block a user message may hold. */
export type UserBlock = TextBlock | ImageBlock | ToolResultBlock

export type ContentBlock = AssistantBlock | UserBlock

/** Who made a message. */
export type MessageSource =
  | { readonly kind: 'user' }
  | { readonly kind: 'model'; readonly provider: string; readonly model: string }
  | { readonly kind: 'tool'; readonly callId: string }
  | { readonly kind: 'plugin'; readonly name: string }

/** Input to the model. A tool result is a user message with exactly one `tool-result` block and source `tool`. */
export interface UserMessage {
  readonly id: string
  readonly role: 'user'
  readonly source: Exclude<MessageSource, { kind: 'model' }>
  readonly content: readonly UserBlock[]
}

/** What the model answered. */
export interface AssistantMessage {
  readonly id: string
  readonly role: 'assistant'
  readonly source: Extract<MessageSource, { kind: 'model' }>
  readonly content: readonly AssistantBlock[]
}

export type Message = UserMessage | AssistantMessage
