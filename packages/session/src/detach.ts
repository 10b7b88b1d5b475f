import { HarnessError, type JsonValue } from '@agent-spine/schema'

/**
 * Owns: turning a caller's value into one that the log may keep.
 *
 * D1 The copy equals the value after `JSON.parse(JSON.stringify(value))`, or the value is refused.
 * D2 The copy shares no object with the value and is frozen at every level.
 * D3 Every property is read once, so a getter or proxy cannot show one value to the check and another to the log.
 * D4 At most `maxLevels` levels and `maxValues` values: cycles and exponential sharing end in a refusal, soon.
 */

/** A value that JSON cannot hold. `path` starts below the root: `.message.content[0]`, or nothing for the root itself. */
export class NotJsonError extends HarnessError {
  readonly path: string

  constructor(path: string, message: string) {
    super('NOT_JSON', message)
    this.path = path
  }
}

/** The deepest data the log takes. */
export const maxLevels = 1000
const maxValues = 10_000_000

interface Walk {
  /** The keys from the root to the container being copied. */
  readonly keys: (string | number)[]
  values: number
}

/** Copies `value`, frozen and detached. Throws `NotJsonError`, and whatever a getter throws. */
export function detach(value: unknown): JsonValue {
  return copy(value, { keys: [], values: 0 })
}

function copy(value: unknown, walk: Walk): JsonValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      if (!Number.isFinite(value)) throw refuse(walk, `must be a finite number (found ${value})`)
      if (Object.is(value, -0)) throw refuse(walk, 'must not be -0, which JSON text loses')
      return value
    case 'object':
      return value === null ? null : copyContainer(value, walk)
    default:
      throw refuse(walk, `must be a JSON value (found ${typeof value})`)
  }
}

function copyContainer(value: object, walk: Walk): JsonValue {
  if (walk.keys.length >= maxLevels) throw refuse(walk, `must be at most ${maxLevels} levels deep`)
  if (++walk.values > maxValues) throw refuse(walk, `must hold at most ${maxValues} objects and arrays`)
  if (Object.getOwnPropertySymbols(value).length > 0) throw refuse(walk, 'must not have symbol keys')
  return Array.isArray(value) ? copyArray(value, walk) : copyObject(value, walk)
}

function copyArray(value: readonly unknown[], walk: Walk): JsonValue {
  const length = value.length
  const items: JsonValue[] = []
  for (let index = 0; index < length; index++) items.push(copyAt(value[index], index, walk))
  if (Object.keys(value).length !== length) throw refuse(walk, 'must have no properties beside its items')
  return Object.freeze(items)
}

function copyObject(value: object, walk: Walk): JsonValue {
  const prototype: unknown = Object.getPrototypeOf(value)
  // Asked of the prototype, not by identity: a plain object of another realm is as good as ours.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw refuse(walk, 'must be a plain object (found an instance of a class)')
  }
  const members: Record<string, JsonValue> = {}
  for (const key of Object.keys(value)) {
    const member = copyAt((value as Readonly<Record<string, unknown>>)[key], key, walk)
    if (key === '__proto__') Object.defineProperty(members, key, { value: member, enumerable: true })
    else members[key] = member
  }
  return Object.freeze(members)
}

function copyAt(value: unknown, key: string | number, walk: Walk): JsonValue {
  if (typeof value === 'string') return value
  walk.keys.push(key)
  const copied = copy(value, walk)
  walk.keys.pop()
  return copied
}

function refuse(walk: Walk, message: string): NotJsonError {
  const path = walk.keys.map(key => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('')
  return new NotJsonError(path.length > 200 ? `${path.slice(0, 200)}…` : path, message)
}
