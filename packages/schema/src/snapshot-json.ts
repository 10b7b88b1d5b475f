import { HarnessError } from './errors.js'
import { type JsonValue } from './json.js'
import { childPath, type Path, printPath } from './path.js'
import { arrayLength, arrayProblem, objectProblem } from './plain.js'
import { describeReceived, unreadable } from './received.js'

/*
 * Copies a value into detached, deeply frozen JSON.
 *
 * Invariants:
 * 1. Each key list and each property is read exactly once, so what was checked is what is returned.
 * 2. No recursion: the open containers are an explicit stack.
 * 3. Time is linear in distinct objects: a shared object is copied once and stays shared in the copy.
 * 4. A cycle is reported at the edge that closes it.
 */

/** How many values a tree may hold where a caller sets no other bound. */
export const defaultMaxNodes = 10_000_000

/** Bounds of {@link snapshotJson}. */
export interface SnapshotOptions {
  /** How many values a tree may hold before it is refused. Default 10 000 000. */
  readonly maxNodes?: number
}

interface OpenCopy {
  readonly source: Record<string | number, unknown>
  readonly copy: object
  readonly keys: readonly string[] | null
  readonly length: number
  next: number
}

/** What this module made, so that snapshotting a snapshot, alone or inside something new, costs nothing. */
const finished = new WeakSet<object>()

/**
 * A detached, deeply frozen copy of `value`.
 *
 * Throws a `HarnessError` with code `NOT_LOSSLESS_JSON`, which names the path and what was found there, when JSON could
 * not carry the value unchanged. A string with a lone surrogate passes: a stream may split a pair across two chunks. A
 * value that is already a snapshot is returned as it is.
 */
export function snapshotJson(value: unknown, options: SnapshotOptions = {}): JsonValue {
  const { maxNodes = defaultMaxNodes } = options
  const copies = new Map<object, object | null>()
  const stack: OpenCopy[] = []
  let nodes = 0

  function take(item: unknown): unknown {
    if (typeof item !== 'object' || item === null) {
      if (!isLosslessScalar(item)) throw notLossless(stack, describeReceived(item))
      return item
    }
    const known = copies.get(item)
    if (known === null) throw notLossless(stack, 'a circular reference')
    if (known !== undefined) return known
    if (finished.has(item)) return item
    const opened = openCopy(item)
    if (typeof opened === 'string') throw notLossless(stack, opened)
    nodes += opened.length + 1
    if (nodes > maxNodes) throw notLossless(stack, `more than ${maxNodes} values in all`)
    copies.set(item, null)
    stack.push(opened)
    return opened.copy
  }

  const result = take(value)
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    if (frame.next === frame.length) {
      copies.set(frame.source, Object.freeze(frame.copy))
      stack.pop()
    } else {
      const key = frame.keys?.[frame.next] ?? frame.next
      frame.next += 1
      setOwn(frame.copy, key, take(readProperty(frame.source, key)))
    }
  }
  if (typeof result === 'object' && result !== null) finished.add(result)
  return result as JsonValue
}

/** Whether JSON carries this value, which is not an object, unchanged. */
export function isLosslessScalar(value: unknown): boolean {
  if (typeof value === 'number') return value - value === 0 && !Object.is(value, -0)
  return typeof value === 'string' || typeof value === 'boolean' || value === null
}

/** Sets an own property, also where the key is `__proto__`. */
export function setOwn(target: object, key: string | number, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
  } else {
    ;(target as Record<string | number, unknown>)[key] = value
  }
}

function openCopy(value: object): OpenCopy | string {
  try {
    const source = value as Record<string | number, unknown>
    if (Array.isArray(value)) {
      const length = arrayLength(value)
      return arrayProblem(value, length) ?? { source, copy: [], keys: null, length, next: 0 }
    }
    const keys = Object.keys(value)
    return objectProblem(value, keys.length) ?? { source, copy: {}, keys, length: keys.length, next: 0 }
  } catch {
    return describeReceived(unreadable)
  }
}

function readProperty(source: Record<string | number, unknown>, key: string | number): unknown {
  try {
    return source[key]
  } catch {
    return unreadable
  }
}

function notLossless(stack: readonly OpenCopy[], found: string): HarnessError {
  let path: Path | null = null
  for (const { keys, next } of stack) path = childPath(path, keys?.[next - 1] ?? next - 1)
  return new HarnessError(
    'NOT_LOSSLESS_JSON',
    `expected lossless JSON, found ${found} at "${printPath('value', path)}"; convert it to plain JSON data first`,
  )
}
