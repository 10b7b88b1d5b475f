import { type JsonValue, snapshotJson } from '@agent-spine/schema'
import { isWellFormed, wellFormed } from './content.js'

/**
 * `value` with every lone surrogate in its strings replaced, as a snapshot; `value` itself where there is none. A body
 * that cuts text may split a pair, and providers refuse the half.
 */
export function wellFormedJson(value: JsonValue): JsonValue {
  return hasLoneSurrogate(value) ? snapshotJson(repaired(value)) : value
}

function hasLoneSurrogate(root: JsonValue): boolean {
  const seen = new Set<object>()
  const open: JsonValue[] = [root]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'string') {
      if (!isWellFormed(value)) return true
    } else if (typeof value === 'object' && value !== null && !seen.has(value)) {
      seen.add(value)
      for (const child of Object.values<JsonValue>(value)) open.push(child)
    }
  }
  return false
}

type Copy = Record<string, unknown> | unknown[]

function repaired(root: JsonValue): unknown {
  const copies = new Map<object, Copy>()
  const open: object[] = []

  function copyOf(value: unknown): unknown {
    if (typeof value === 'string') return wellFormed(value)
    if (typeof value !== 'object' || value === null) return value
    const known = copies.get(value)
    if (known !== undefined) return known
    const copy: Copy = Array.isArray(value) ? [] : {}
    copies.set(value, copy)
    open.push(value)
    return copy
  }

  const result = copyOf(root)
  for (let source = open.pop(); source !== undefined; source = open.pop()) {
    for (const [key, child] of Object.entries(source)) {
      // Not an assignment: a key may be `__proto__`.
      Object.defineProperty(copies.get(source), key, {
        value: copyOf(child),
        enumerable: true,
        configurable: true,
        writable: true,
      })
    }
  }
  return result
}
