import { otherRealm } from './other-realm.js'

/*
 * The reference for "JSON text carries this value unchanged, and a provider takes it", written without a look at the
 * validator: it asks for everything a property can tell, and keeps a record of every object it has seen.
 */

const arrayPrototypes = new Set<object | null>([Array.prototype, otherRealm.array])
const objectPrototypes = new Set<object | null>([Object.prototype, otherRealm.object, null])

interface Open {
  readonly value: object
  readonly items: unknown[]
}

/** Whether `value` is lossless JSON all of whose text is well-formed. */
export function isCarriable(value: unknown): boolean {
  try {
    return isTree(value)
  } catch {
    return false
  }
}

function isTree(root: unknown): boolean {
  const open = new Set<object>()
  const done = new Set<object>()
  const stack: Open[] = [{ value: {}, items: [root] }]
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    if (frame.items.length === 0) {
      stack.pop()
      open.delete(frame.value)
      done.add(frame.value)
      continue
    }
    const item = frame.items.pop()
    if (typeof item !== 'object' || item === null) {
      if (!isCarriableScalar(item)) return false
    } else if (open.has(item)) {
      return false
    } else if (!done.has(item)) {
      const items = itemsOf(item)
      if (items === undefined) return false
      open.add(item)
      stack.push({ value: item, items })
    }
  }
  return true
}

function isCarriableScalar(value: unknown): boolean {
  if (typeof value === 'string') return isText(value)
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  return typeof value === 'boolean' || value === null
}

function isText(text: string): boolean {
  return !/\p{Surrogate}/u.test(text)
}

/** What a plain container holds, or `undefined` for one that JSON would change. */
function itemsOf(value: object): unknown[] | undefined {
  const keys = Reflect.ownKeys(value)
  const record = value as Record<PropertyKey, unknown>
  const prototype = Reflect.getPrototypeOf(value)
  if (Array.isArray(value)) {
    const length: unknown = value.length
    if (!arrayPrototypes.has(prototype) || keys.length - 1 !== length) return undefined
    const items = Array.from({ length }, (_, index) => record[index])
    return keys.every(key => key === 'length' || isIndex(key, length)) ? items : undefined
  }
  if (!objectPrototypes.has(prototype)) return undefined
  const isPlain = keys.every(
    key => typeof key === 'string' && isText(key) && Reflect.getOwnPropertyDescriptor(value, key)?.enumerable,
  )
  return isPlain ? keys.map(key => record[key]) : undefined
}

function isIndex(key: PropertyKey, length: number): boolean {
  return typeof key === 'string' && String(Number(key)) === key && Number(key) < length
}
