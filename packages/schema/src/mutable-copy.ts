import { type JsonObject, type JsonValue } from './json.js'
import { setOwn } from './snapshot-json.js'

/** A copy of JSON that its new owner may change at every level. What is shared stays shared; no recursion. */
export function mutableCopy(root: JsonObject): Record<string, unknown> {
  const copies = new Map<JsonValue, object>()
  const waiting: object[] = []
  const copyOf = (value: JsonValue): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const known = copies.get(value)
    if (known !== undefined) return known
    const copy = Array.isArray(value) ? [] : {}
    copies.set(value, copy)
    waiting.push(value)
    return copy
  }
  const result = copyOf(root)
  for (let source = waiting.pop(); source !== undefined; source = waiting.pop()) {
    const copy = copies.get(source as JsonValue) ?? {}
    for (const [key, value] of Object.entries(source)) setOwn(copy, key, copyOf(value as JsonValue))
  }
  return result as Record<string, unknown>
}
