import type { ToolResultData } from '@agent-spine/session'

/** The call that a result answers. */
export function resultCallId({ message }: ToolResultData): string | undefined {
  const [block] = message.content
  return block?.type === 'tool-result' ? block.toolCallId : undefined
}

/** The text of a result; other blocks by their kind. */
export function resultText({ message }: ToolResultData): string {
  const [block] = message.content
  if (block?.type !== 'tool-result') return ''
  return block.content.map(part => (part.type === 'text' ? part.text : `[${part.mediaType}]`)).join('')
}

/** How long its body ran, where the result says so. */
export function statedDuration(data: ToolResultData): number | undefined {
  const text = resultText(data)
  return durationIn(data.meta) ?? (text.startsWith('{') ? durationIn(parsedJson(text)) : undefined)
}

function durationIn(value: unknown): number | undefined {
  if (typeof value !== 'object' || value === null || !('durationMs' in value)) return undefined
  const { durationMs } = value
  return typeof durationMs === 'number' && durationMs >= 0 ? durationMs : undefined
}

/** `undefined` where a text is no JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
