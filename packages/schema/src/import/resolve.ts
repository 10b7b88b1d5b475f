import { type JsonObject, type JsonValue } from '../json.js'
import { jsonPointer } from '../path.js'
import { annotations, silent } from './keywords.js'
import { type ForeignPath, isObject, note, own, type Reader, refuseOrDrop } from './reader.js'

/** The schema with its `$ref` and `allOf` merged in, and the pointers that must not be met again below it. */
export interface Resolved {
  readonly schema: JsonObject
  readonly pointers: readonly string[]
}

/** Inlines a local `$ref` chain and the parts of an `allOf`. `undefined` after a violation. */
export function resolve(reader: Reader, start: JsonObject, path: ForeignPath): Resolved | undefined {
  let schema = start
  const pointers: string[] = []
  for (;;) {
    const reference = own(schema, '$ref')
    const parts = own(schema, 'allOf')
    if (typeof reference === 'string') {
      if (reader.open.has(reference) || pointers.includes(reference)) {
        reader.violations.push(
          `"${jsonPointer(path)}" is circular through "$ref": ${JSON.stringify(reference)}`,
        )
        return undefined
      }
      const target = lookUp(reader.root, reference)
      if (!isObject(target)) {
        reader.violations.push(
          `"${jsonPointer(path)}" refers to ${JSON.stringify(reference)}, which is not a local schema`,
        )
        return undefined
      }
      pointers.push(reference)
      note(reader, path, { keyword: '$ref', effect: 'same', message: `${reference} was inlined` })
      schema = merge(reader, [without(schema, '$ref'), target], path)
    } else if (Array.isArray(parts)) {
      note(reader, path, { keyword: 'allOf', effect: 'same', message: 'the parts of "allOf" were merged' })
      schema = merge(reader, [without(schema, 'allOf'), ...(parts as JsonValue[]).filter(isObject)], path)
    } else {
      return { schema, pointers }
    }
  }
}

/** Both schemas as one, where no keyword is in both; a keyword that is in both is refused, or with `lossy` left out. */
export function merge(reader: Reader, parts: readonly JsonObject[], path: ForeignPath): JsonObject {
  const merged = new Map<string, JsonValue>()
  for (const part of parts) {
    for (const [keyword, value] of Object.entries(part)) {
      const before = merged.get(keyword)
      if (before === undefined) merged.set(keyword, value)
      else if (keyword === 'required' && Array.isArray(before) && Array.isArray(value)) {
        merged.set(keyword, [...new Set([...(before as JsonValue[]), ...(value as JsonValue[])])])
      } else if (
        keyword === 'properties' &&
        isObject(before) &&
        isObject(value) &&
        areDisjoint(before, value)
      ) {
        merged.set(keyword, { ...before, ...value })
      } else if (
        !annotations.has(keyword) &&
        !silent.has(keyword) &&
        JSON.stringify(before) !== JSON.stringify(value)
      ) {
        refuseOrDrop(reader, path, keyword)
      }
    }
  }
  return Object.fromEntries(merged)
}

function areDisjoint(left: JsonObject, right: JsonObject): boolean {
  return Object.keys(left).every(name => !Object.hasOwn(right, name))
}

export function without(schema: JsonObject, ...keywords: string[]): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)))
}

function lookUp(root: JsonValue, reference: string): JsonValue | undefined {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined
  let at: JsonValue | undefined = root
  for (const token of reference.split('/').slice(1)) {
    const key = decode(token)
    if (Array.isArray(at)) at = (at as JsonValue[])[Number(key)]
    else at = isObject(at) ? own(at, key) : undefined
  }
  return at
}

function decode(token: string): string {
  const plain = token.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}
