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

/**
 * The name of a call in the form every provider accepts when the call is sent back: `[A-Za-z0-9_-]{1,64}`, other
 * characters replaced by `_`, an empty name by `unnamed_tool`. A model may call a tool that does not exist by any name;
 * the log keeps that name, and the result says that there is no such tool. Source of the rule: the `name` of function
 * tools in the OpenAI API reference; Anthropic allows 128 characters of the same set.
 */
export function wireName(block: ToolCallBlock): string {
  return block.name.replaceAll(/[^A-Za-z0-9_-]/gu, '_').slice(0, 64) || 'unnamed_tool'
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
