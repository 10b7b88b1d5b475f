import type { JsonObject, JsonValue } from '@agent-spine/schema'

/** What is wrong with a value. `path` is written from the inside out: each container prepends its key. */
export interface Problem {
  readonly path: string
  readonly message: string
}

/** Says what is wrong with a value, or nothing. Costs nothing but the look while all is well. */
export type Shape = (value: JsonValue | undefined) => Problem | undefined

type Shapes = Readonly<Record<string, Shape>>

function expected(what: string, value: JsonValue | undefined): Problem {
  return { path: '', message: `must be ${what} (found ${describe(value)})` }
}

function describe(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'object')
    return value === null ? 'null' : Array.isArray(value) ? 'an array' : 'an object'
  const text = JSON.stringify(value)
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}

export const anything: Shape = value => (value === undefined ? expected('a JSON value', value) : undefined)

export const text: Shape = value => (typeof value === 'string' ? undefined : expected('a string', value))

export const name: Shape = value =>
  typeof value === 'string' && value !== '' ? undefined : expected('a string that is not empty', value)

export const number: Shape = value => (typeof value === 'number' ? undefined : expected('a number', value))

/** Turn, step and attempt numbers, block indexes, seqs, token counts. */
export const count: Shape = value =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? undefined
    : expected('an integer from 0', value)

/** A flag is `true` or absent. */
export const flag: Shape = value => (value === true ? undefined : expected('true or absent', value))

export const object: Shape = value => (isObject(value) ? undefined : expected('an object', value))

export function matching(pattern: RegExp): Shape {
  return value =>
    typeof value === 'string' && pattern.test(value)
      ? undefined
      : expected(`a string like ${String(pattern)}`, value)
}

export function literal(...allowed: readonly string[]): Shape {
  const words = allowed.map(word => JSON.stringify(word)).join(' or ')
  return value => (typeof value === 'string' && allowed.includes(value) ? undefined : expected(words, value))
}

export function list(item: Shape): Shape {
  return value => {
    if (!Array.isArray(value)) return expected('an array', value)
    for (let index = 0; index < value.length; index++) {
      const problem = item((value as readonly JsonValue[])[index])
      if (problem !== undefined) return { path: `[${index}]${problem.path}`, message: problem.message }
    }
    return undefined
  }
}

export function filledList(item: Shape): Shape {
  const all = list(item)
  return value =>
    Array.isArray(value) && value.length === 0 ? expected('an array with items', value) : all(value)
}

/** An object with `required` fields, and `optional` ones right where they are present. Further fields are let be. */
export function record(required: Shapes, optional: Shapes = {}): Shape {
  const fields = Object.entries(required)
  const optionalFields = Object.entries(optional)
  return value => {
    if (!isObject(value)) return expected('an object', value)
    for (const [key, shape] of fields) {
      const problem = shape(value[key])
      if (problem !== undefined) return { path: `.${key}${problem.path}`, message: problem.message }
    }
    for (const [key, shape] of optionalFields) {
      const field = value[key]
      const problem = field === undefined ? undefined : shape(field)
      if (problem !== undefined) return { path: `.${key}${problem.path}`, message: problem.message }
    }
    return undefined
  }
}

/** A discriminated union: the field `tag` chooses the shape of the whole. */
export function tagged(tag: string, shapes: Shapes): Shape {
  const byTag = new Map(Object.entries(shapes))
  const tagShape = literal(...byTag.keys())
  return value => {
    if (!isObject(value)) return expected('an object', value)
    const chosen = value[tag]
    const shape = typeof chosen === 'string' ? byTag.get(chosen) : undefined
    if (shape !== undefined) return shape(value)
    return { path: `.${tag}`, message: tagShape(chosen)?.message ?? 'is not known' }
  }
}

/** `shape`, and then what `also` finds in a value that has that shape. */
export function refine(shape: Shape, also: Shape): Shape {
  return value => shape(value) ?? also(value)
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
