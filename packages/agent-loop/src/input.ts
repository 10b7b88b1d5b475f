import type { ToolResultContent, UserBlock, UserMessage } from '@agent-spine/model'
import { HarnessError } from '@agent-spine/schema'

/** What an agent may be given: text, or text and images. */
export type AgentInput = string | readonly ToolResultContent[]

/** The user message that `input` stands for. @throws HarnessError `INVALID_INPUT` */
export function userMessage(
  id: string,
  source: UserMessage['source'],
  input: string | readonly UserBlock[],
): UserMessage {
  return { id, role: 'user', source, content: inputBlocks(input) }
}

/**
 * The blocks that `input` stands for, without blank text, which providers refuse.
 *
 * @throws HarnessError `INVALID_INPUT`
 */
export function inputBlocks(input: string | readonly UserBlock[]): readonly UserBlock[] {
  const blocks: readonly UserBlock[] = typeof input === 'string' ? [{ type: 'text', text: input }] : input
  if (!isBlocks(blocks)) {
    throw new HarnessError(
      'INVALID_INPUT',
      'expected a string, or an array of text and image blocks, found something else: pass what the model shall read',
    )
  }
  if (blocks.some(block => block.type === 'tool-result')) {
    throw new HarnessError(
      'INVALID_INPUT',
      'expected text or images, found a tool result: only a tool call may be answered with one',
    )
  }
  const visible = blocks.filter(block => block.type !== 'text' || block.text.trim() !== '')
  if (visible.length === 0) {
    throw new HarnessError(
      'INVALID_INPUT',
      'expected input with visible text or an image, found none: give the model something to read',
    )
  }
  return visible
}

/** A caller without types may pass anything. The session checks the fields of images. */
function isBlocks(value: unknown): boolean {
  return Array.isArray(value) && value.every(isUserBlock)
}

function isUserBlock(block: unknown): boolean {
  if (typeof block !== 'object' || block === null || !('type' in block)) return false
  return block.type === 'text'
    ? 'text' in block && typeof block.text === 'string'
    : block.type === 'image' || block.type === 'tool-result'
}
