import type { ToolResultBlock, UserMessage } from './message.js'

/**
 * The complete result message of a call: the one shape that every part of the spine writes. Its id derives from the
 * call's, so a rebuilt log has the same bytes.
 */
export function resultMessage(
  callId: string,
  { content, isError }: Pick<ToolResultBlock, 'content' | 'isError'>,
): UserMessage {
  return {
    id: `result_${callId}`,
    role: 'user',
    source: { kind: 'tool', callId },
    content: [{ type: 'tool-result', toolCallId: callId, content, ...(isError && { isError }) }],
  }
}
