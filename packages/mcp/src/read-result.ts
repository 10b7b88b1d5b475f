import { type ToolResultContent } from '@agent-spine/model'
import { HarnessError, type JsonObject, type JsonValue } from '@agent-spine/schema'
import { MCP_INVALID_RESULT, MCP_TOOL_ERROR } from './errors.js'
import { isObject, ownOf } from './json-facts.js'
import { readContentBlock } from './read-content.js'

/** The value of an MCP tool, as hooks, observers and parent bodies get it. */
export interface McpToolValue {
  /** What the model reads. */
  readonly content: readonly ToolResultContent[]
  /** The `structuredContent` of the result, where there was one. */
  readonly structured?: JsonObject
}

/**
 * Turns the result of a `tools/call` into the tool's value.
 *
 * @throws HarnessError `MCP_TOOL_ERROR` for a result that says the tool failed, `MCP_INVALID_RESULT` for what is no result.
 */
export function readCallResult(serverName: string, result: JsonObject): McpToolValue {
  const structured = ownOf(result, 'structuredContent')
  const content = readContent(serverName, result, structured)
  if (ownOf(result, 'isError') === true) throw new HarnessError(MCP_TOOL_ERROR, errorText(content))
  return { content, ...(isObject(structured) && { structured }) }
}

function readContent(
  serverName: string,
  result: JsonObject,
  structured: JsonValue | undefined,
): readonly ToolResultContent[] {
  const blocks = ownOf(result, 'content')
  const isReadable = Array.isArray(blocks) || (blocks === undefined && isObject(structured))
  if (!isReadable || (structured !== undefined && !isObject(structured))) {
    throw new HarnessError(
      MCP_INVALID_RESULT,
      `The MCP server "${serverName}" ran this call and answered with something that is no result of a tool: expected ` +
        '"content" to be a list and "structuredContent" to be an object. What the call did is not known; check before you repeat it.',
    )
  }
  const content = ((blocks ?? []) as readonly JsonValue[]).flatMap(readContentBlock)
  // By the protocol, content beside structure says the same; without any, the structure is all there is to read.
  if (content.length > 0 || structured === undefined) return content
  return [{ type: 'text', text: JSON.stringify(structured) }]
}

/** A failure is told in words only. */
function errorText(content: readonly ToolResultContent[]): string {
  const words = content.map(block =>
    block.type === 'text'
      ? block.text
      : `[an image (${block.mediaType}) came with this error, which cannot be shown here]`,
  )
  return words.join('\n').trim() || 'The tool failed and gave no reason.'
}
