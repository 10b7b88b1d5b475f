/*
 * Tells the objects JSON can carry from those it would flatten. Every function here may throw on a hostile Proxy; callers
 * turn that into a violation.
 *
 * Invariants:
 * 1. Plain is a question about the prototype and not about `constructor`, which a value can fake.
 * 2. Objects and arrays of another realm (iframe, vm context) are plain.
 * 3. An own property that JSON would drop (symbol key, non-enumerable, named property of an array) is a problem.
 */

// Spelt out, and not `Object.hasOwn`: engines see through this call inside a `for in`, where it then costs nothing.
export function hasOwn(value: object, key: PropertyKey): boolean {
  return Object.prototype.hasOwnProperty.call(value, key)
}

function isPlainObject(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null
  if (prototype === Object.prototype || prototype === null) return true
  return Object.getPrototypeOf(prototype) === null && hasOwn(prototype, 'isPrototypeOf')
}

function isPlainArray(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null
  // Array.prototype of any realm is itself an array; the prototype of a subclass is not.
  return prototype === Array.prototype || Array.isArray(prototype)
}

/** What makes `value` more than its `enumerableCount` own enumerable string keys, or `null`. */
export function objectProblem(value: object, enumerableCount: number): string | null {
  if (!isPlainObject(value)) return className(value)
  if (Object.getOwnPropertyNames(value).length !== enumerableCount) return 'an object with hidden properties'
  if (Object.getOwnPropertySymbols(value).length !== 0) return 'an object with symbol keys'
  return null
}

/** What makes `value` more or less than its `length` items, or `null`. */
export function arrayProblem(value: readonly unknown[], length: number): string | null {
  if (!isPlainArray(value)) return className(value)
  // One call for indices, `length`, names and symbols: for arrays it is the cheapest way to count them.
  const keys = Reflect.ownKeys(value).length
  if (keys < length + 1) return 'an array with holes'
  if (keys > length + 1) return 'an array with extra properties'
  return null
}

/** The length of an array, or `-1` where a Proxy claims one that no array has. */
export function arrayLength(value: readonly unknown[]): number {
  const length: unknown = value.length
  return typeof length === 'number' && Number.isSafeInteger(length) && length >= 0 ? length : -1
}

function className(value: object): string {
  const { constructor } = Object.getPrototypeOf(value) as { constructor?: unknown }
  const name: unknown = typeof constructor === 'function' ? constructor.name : undefined
  return typeof name === 'string' && name !== '' && name !== 'Object'
    ? `an instance of ${name.slice(0, 40)}`
    : 'an object with a prototype of its own'
}

const nativeIsWellFormed = (String.prototype as { isWellFormed?: () => boolean }).isWellFormed

/** Whether `text` holds no lone surrogate. */
export function isWellFormed(text: string): boolean {
  return nativeIsWellFormed === undefined ? !/\p{Surrogate}/u.test(text) : nativeIsWellFormed.call(text)
}
