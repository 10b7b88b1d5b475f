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
