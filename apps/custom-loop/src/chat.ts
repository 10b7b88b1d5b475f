/** The message shape of chat-completion APIs, as far as this loop needs it. */
export type Message =
  | { role: 'system' | 'user'; content: string }
  | AssistantMessage
  | { role: 'tool'; tool_call_id: string; content: string }

export interface AssistantMessage {
  role: 'assistant'
  content: string | null
  tool_calls?: ToolCall[]
}

export interface ToolCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

/** Answers a conversation: a fetch to any chat-completion endpoint would do. */
export type Model = (messages: readonly Message[], signal: AbortSignal) => Promise<AssistantMessage>

export interface Tool {
  /** Whether it changes nothing, so that its calls may overlap. */
  readonly: boolean
  run: (input: Record<string, unknown>, signal: AbortSignal) => Promise<string> | string
}
