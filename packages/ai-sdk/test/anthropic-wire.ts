/**
 * Answers of Anthropic's messages, as they are streamed: named events from `message_start` to `message_stop`
 * (platform.claude.com/docs/en/build-with-claude/streaming).
 */
import { events } from './wire-server.js'

export type AnthropicBlock =
  | { readonly text: readonly string[] }
  | { readonly thinking: readonly string[]; readonly signature: string }
  | { readonly redacted: string }
  | { readonly tool: string; readonly id: string; readonly json: readonly string[] }

/** The events of one answer. */
export function anthropicEvents(blocks: readonly AnthropicBlock[], stopReason: string): string[] {
  return events(
    [
      {
        type: 'message_start',
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model: 'claude-test',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: {
            input_tokens: 30,
            cache_read_input_tokens: 60,
            cache_creation_input_tokens: 10,
            output_tokens: 1,
          },
        },
      },
      { type: 'ping' },
      ...blocks.flatMap((block, index) => blockEvents(block, index)),
      {
        type: 'message_delta',
        delta: { stop_reason: stopReason, stop_sequence: null },
        usage: { output_tokens: 20 },
      },
      { type: 'message_stop' },
    ],
    true,
  )
}

function blockEvents(block: AnthropicBlock, index: number): unknown[] {
  const [start, deltas] = blockParts(block)
  return [
    { type: 'content_block_start', index, content_block: start },
    ...deltas.map(delta => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
}

function blockParts(block: AnthropicBlock): [start: unknown, deltas: unknown[]] {
  if ('text' in block) {
    return [{ type: 'text', text: '' }, block.text.map(text => ({ type: 'text_delta', text }))]
  }
  if ('thinking' in block) {
    const thoughts = block.thinking.map(thinking => ({ type: 'thinking_delta', thinking }))
    const signed = { type: 'signature_delta', signature: block.signature }
    return [{ type: 'thinking', thinking: '', signature: '' }, [...thoughts, signed]]
  }
  if ('redacted' in block) return [{ type: 'redacted_thinking', data: block.redacted }, []]
  const start = { type: 'tool_use', id: block.id, name: block.tool, input: {} }
  return [start, block.json.map(partial => ({ type: 'input_json_delta', partial_json: partial }))]
}
