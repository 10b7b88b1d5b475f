import { type ToolResultContent } from '@agent-spine/model'
import { type JsonObject, type JsonValue } from '@agent-spine/schema'
import { type ContextMessage, type Tool, type ToolOutcome } from '@agent-spine/tools'
import { isObject } from './json-facts.js'
import { toMcp } from './to-mcp.js'

/** An outcome and the messages that its body had for the model. */
export interface ServedOutcome {
  readonly outcome: ToolOutcome
  readonly tool: Tool | undefined
  /** MCP has no messages at the next step, so they follow the result. */
  readonly contexts: readonly ContextMessage[]
}

/** The key of `_meta` under which the name and code of an error are sent. */
const errorKey = 'agent-spine/error'

/** Turns an outcome into the result of a `tools/call`. */
export function toCallResult({ outcome, tool, contexts }: ServedOutcome): JsonObject {
  const blocks = [...outcome.content, ...contexts.flatMap(contextBlocks)].map(toMcpBlock)
  const { error } = outcome
  if (outcome.isError) {
    return {
      content: blocks,
      isError: true,
      ...(error && { _meta: { [errorKey]: { ...error } } }),
    }
  }
  if (!tool || !toMcp(tool).tool.outputSchema) return { content: blocks }
  if (isObject(outcome.value) && isRendered(tool, outcome)) {
    return { content: blocks, structuredContent: outcome.value }
  }
  // A tool with an output schema must answer with structure, unless it answers with an error.
  return { content: [...blocks, heldBack], isError: true }
}

const heldBack = {
  type: 'text',
  text:
    '[The tool succeeded. What is above was replaced by a policy or cut to size, so the structured value that belongs ' +
    'to it is held back, and this answer is marked as an error because the protocol wants that value.]',
} as const

/** What the runtime puts where a tool said nothing. */
const nothing = '(no output)'

/**
 * Whether the content is what the tool made of its value. If policy replaced it, or a limit cut it, the value holds what
 * was meant to be kept back.
 */
function isRendered(tool: Tool, outcome: ToolOutcome): boolean {
  try {
    const { content } = tool.render(outcome.value)
    return asText(tool.finalizeContent(content, false)) === asText(outcome.content)
  } catch {
    return false
  }
}

function asText(content: readonly ToolResultContent[]): string {
  const blocks = content.filter(block => block.type === 'image' || block.text.trim() !== '')
  return JSON.stringify(
    blocks.length > 0 ? blocks.map(toMcpBlock) : [toMcpBlock({ type: 'text', text: nothing })],
  )
}

function contextBlocks(message: ContextMessage): readonly ToolResultContent[] {
  return typeof message === 'string' ? [{ type: 'text', text: message }] : message
}

function toMcpBlock(block: ToolResultContent): JsonValue {
  if (block.type === 'text') return { type: 'text', text: block.text }
  const { mediaType, data } = block
  if (data.kind === 'url') return { type: 'resource_link', uri: data.url, name: 'image', mimeType: mediaType }
  return isBase64(data.base64)
    ? { type: 'image', data: data.base64, mimeType: mediaType }
    : { type: 'text', text: `[an image (${mediaType}) was left out: its data is not base64]` }
}

/** The SDK refuses a whole result, of a tool that has run, for one image that is not. */
function isBase64(text: string): boolean {
  try {
    atob(text)
    return true
  } catch {
    return false
  }
}
