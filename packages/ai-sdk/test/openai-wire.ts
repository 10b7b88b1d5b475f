/**
 * Answers of OpenAI's chat completions, as they are streamed: `chat.completion.chunk` objects, the last of them with the
 * usage, then `[DONE]` (platform.openai.com/docs/api-reference/chat-streaming). DeepSeek's add `reasoning_content`
 * (api-docs.deepseek.com/guides/reasoning_model).
 */
import { events } from './wire-server.js'

/** One `delta`, or a chunk with a finish reason. */
export type OpenAIPiece =
  | { readonly delta: Readonly<Record<string, unknown>> }
  | { readonly finish: string; readonly usage?: Readonly<Record<string, unknown>> }

const head = {
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'test-model',
}

/** The events of one answer. */
export function openAIEvents(pieces: readonly OpenAIPiece[]): string[] {
  const chunks = pieces.flatMap((piece): unknown[] => {
    if ('delta' in piece)
      return [{ ...head, choices: [{ index: 0, delta: piece.delta, finish_reason: null }] }]
    const finish = { ...head, choices: [{ index: 0, delta: {}, finish_reason: piece.finish }] }
    return piece.usage === undefined ? [finish] : [finish, { ...head, choices: [], usage: piece.usage }]
  })
  return events([...chunks, '[DONE]'])
}

/** A piece of a tool call. The id and the name come with its first one. */
export function openAICall(
  index: number,
  text: string,
  start?: { readonly id?: string | null; readonly name: string },
): OpenAIPiece {
  const named = start && { ...('id' in start && { id: start.id }), type: 'function' }
  const call = { index, ...named, function: { ...(start && { name: start.name }), arguments: text } }
  return { delta: { tool_calls: [call] } }
}

export const openAIUsage = {
  prompt_tokens: 100,
  completion_tokens: 20,
  total_tokens: 120,
  prompt_tokens_details: { cached_tokens: 64 },
  completion_tokens_details: { reasoning_tokens: 5 },
}
