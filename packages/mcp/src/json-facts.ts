import { type JsonObject, type JsonValue } from '@agent-spine/schema'

/** Whether a value from a message is an object. What a transport delivers was parsed from JSON. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The own property of a message's object as text, if it is text with something in it. */
export function textOf(value: JsonObject, key: string): string | undefined {
  const text = ownOf(value, key)
  return typeof text === 'string' && text.trim() !== '' ? text : undefined
}

/** The own property of a message's object. */
export function ownOf(value: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined
}
