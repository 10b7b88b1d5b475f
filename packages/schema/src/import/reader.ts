import { type JsonSchemaNode } from '../json-schema-node.js'
import { type JsonObject, type JsonValue } from '../json.js'
import { jsonPointer } from '../path.js'

/** One thing that importing changed. */
export interface SchemaChange {
  /** Where in the foreign schema, as a JSON Pointer. */
  readonly pointer: string
  readonly keyword: string
  /** `same`: the schema means what it meant. `weaker`: it now accepts more; the description says what was meant. */
  readonly effect: 'same' | 'weaker'
  readonly message: string
}

/** The state of one import. */
export interface Reader {
  readonly root: JsonValue
  readonly isLossy: boolean
  readonly changes: SchemaChange[]
  readonly violations: string[]
  /** Pointers of the `$ref`s that are being resolved. */
  readonly open: Set<string>
  /** What was imported before: a definition that is used twice is imported, and reported, once. */
  readonly done: Map<JsonObject, Imported>
}

/** A node of the subset, and whether it accepts exactly what the foreign one did. */
export interface Imported {
  readonly node: JsonSchemaNode
  readonly isExact: boolean
}

export type ForeignPath = readonly (string | number)[]

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The own value of `keyword`. */
export function own(schema: JsonObject, keyword: string): JsonValue | undefined {
  return Object.hasOwn(schema, keyword) ? schema[keyword] : undefined
}

export function note(reader: Reader, path: ForeignPath, change: Omit<SchemaChange, 'pointer'>): void {
  reader.changes.push({ pointer: jsonPointer(path), ...change })
}

/** Refuses a keyword, or with `lossy` drops it. */
export function refuseOrDrop(reader: Reader, path: ForeignPath, keyword: string): void {
  if (reader.isLossy) note(reader, path, { keyword, effect: 'weaker', message: `"${keyword}" was dropped` })
  else reader.violations.push(`"${jsonPointer(path)}" uses "${keyword}", which only { lossy: true } can drop`)
}
