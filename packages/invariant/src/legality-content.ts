import type { AssistantBlock, Message } from '@agent-spine/model'
import type { Finding } from './finding.js'

/**
 * An assistant message says something once reasoning without replay state is dropped, which no provider takes back.
 *
 * OpenAI: an assistant message's `content` is required unless it has `tool_calls` (Chat Completions API reference).
 * Anthropic: "all messages must have non-empty content except for the optional final assistant message", and thinking is
 * sent back with its signature (platform.claude.com/docs/en/build-with-claude/extended-thinking).
 * Gemini: a content has at least one part (ai.google.dev/api/caching#Content).
 */
export function emptyMessageFindings(messages: readonly Message[]): Finding[] {
  return messages.flatMap((message, seq): Finding[] => {
    const empty =
      message.role === 'assistant' ? !message.content.some(saysSomething) : message.content.length === 0
    if (!empty) return []
    return [{ code: 'EMPTY_MESSAGE', seq, message: `message ${message.id} has no text, image or call` }]
  })
}

function saysSomething(block: AssistantBlock): boolean {
  if (block.type === 'text') return block.text.trim() !== ''
  return block.type !== 'reasoning'
}

/**
 * No text block is empty or only white space.
 *
 * Anthropic: "text content blocks must be non-empty", "text content blocks must contain non-whitespace text" (error 400,
 * Messages API).
 */
export function emptyTextFindings(messages: readonly Message[]): Finding[] {
  return messages.flatMap((message, seq): Finding[] => {
    if (!message.content.some(block => block.type === 'text' && block.text.trim() === '')) return []
    return [
      { code: 'EMPTY_TEXT', seq, message: `message ${message.id} has a text block without visible text` },
    ]
  })
}

/**
 * The conversation begins with the user.
 *
 * Anthropic: "first message must use the user role" (error 400, Messages API). Gemini: a conversation starts with a `user`
 * content (ai.google.dev/gemini-api/docs/text-generation#multi-turn-conversations).
 */
export function firstMessageFindings([first]: readonly Message[]): Finding[] {
  if (first === undefined || first.role === 'user') return []
  return [{ code: 'FIRST_MESSAGE', seq: 0, message: `expected a user message first, found ${first.id}` }]
}

/**
 * A message that asks for calls follows the user or a result.
 *
 * Gemini: "function call turn comes immediately after a user turn or after a function response turn" (error 400,
 * generateContent).
 */
export function callPlaceFindings(messages: readonly Message[]): Finding[] {
  return messages.flatMap((message, seq): Finding[] => {
    const asks = message.role === 'assistant' && message.content.some(block => block.type === 'tool-call')
    if (!asks || messages[seq - 1]?.role !== 'assistant') return []
    return [
      { code: 'CALL_PLACE', seq, message: `message ${message.id} asks for calls right after another answer` },
    ]
  })
}
