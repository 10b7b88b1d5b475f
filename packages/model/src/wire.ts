import { parseJson, type JsonObject, type JsonValue } from '@agent-spine/schema'
import type { ToolCallBlock } from './message.js'

/** Deeper arguments could not be serialised again without overflowing the stack of whoever sends them. */
const maxDepth = 1000

/**
 * The arguments of a call in the form every provider accepts when the call is sent back: the parsed object, or `{}` when
 * the raw text is not one JSON object of at most 1000 levels. The log keeps the raw text; the result that answers the
 * call says what was wrong with it.
 */
export function wireArguments(block: ToolCallBlock): JsonObject {
  const parsed = parseJson(block.arguments)
  return parsed.ok && isObject(parsed.value) && fitsDepth(parsed.value) ? parsed.value : {}
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Level by level, without recursion: the text may be nested as deep as it is long. */
function fitsDepth(root: JsonObject): boolean {
  let level: JsonValue[] = [root]
  for (let depth = 0; depth < maxDepth; depth++) {
    level = level.flatMap(value => (typeof value === 'object' && value !== null ? Object.values(value) : []))
    if (level.length === 0) return true
  }
  return false
}
