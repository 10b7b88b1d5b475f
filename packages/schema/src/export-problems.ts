/*
 * Lists what a provider would refuse in a tool's parameter schema. Each rule names where it was learnt.
 */
import { compileSchema } from './compile-schema.js'
import { type JsonSchemaNode } from './json-schema-node.js'
import { childPath, type Path, printPath } from './path.js'

/** A way of sending tool schemas to a model. */
export type SchemaProvider = 'openai' | 'openai-strict' | 'anthropic' | 'gemini'

interface Place {
  readonly node: JsonSchemaNode
  readonly path: Path | null
  /** How many objects this node is inside of, itself included. */
  readonly objectDepth: number
}

type Rule = (place: Place) => string | false | undefined

/** Refused by every provider: arguments are an object (OpenAI and Anthropic answer 400 with these very words). */
const rootIsObject: Rule = ({ node, path }) =>
  path === null && node.type !== 'object' && 'must have "type": "object" at its root'

/** OpenAI, strict or not: "In context=…, array schema missing items". Gemini: "items: missing field". */
const arrayHasItems: Rule = ({ node }) =>
  node.type === 'array' && node.items === undefined && 'must have "items"'

/** OpenAI, strict or not, on both of its endpoints: "In context=…, 'oneOf' is not permitted". Gemini: unknown field. */
const noOneOf: Rule = ({ node }) => node.oneOf !== undefined && 'must not use "oneOf"'

/** Structured outputs guide, "Supported schemas": every field is required and every object is closed. */
const strictObject: Rule = ({ node }) => {
  if (node.type !== 'object') return false
  if (node.additionalProperties !== false) return 'must have "additionalProperties": false'
  const optional = Object.keys(node.properties ?? {}).filter(name => !node.required?.includes(name))
  return (
    optional.length > 0 && `must require all its properties; optional: ${optional.slice(0, 10).join(', ')}`
  )
}

/** Structured outputs guide: a schema needs a type; `default` is answered with "'default' is not permitted". */
const strictNode: Rule = ({ node }) => {
  if (node.type === undefined && node.oneOf === undefined) return 'must have a "type"'
  return node.default !== undefined && 'must not have a "default"'
}

/** Structured outputs guide, "Limitations": at most ten levels of nesting. */
const strictDepth: Rule = ({ node, objectDepth }) =>
  node.type === 'object' && objectDepth > 10 && 'must not be nested deeper than 10 objects'

/** Structured outputs guide: a string enum of more than 250 values may hold 15 000 characters. */
const strictEnum: Rule = ({ node }) => {
  const length = textLength(node.enum ?? [])
  return (
    (node.enum?.length ?? 0) > 250 &&
    length > 15_000 &&
    'must hold at most 15000 characters in an enum this long'
  )
}

/** Tool use guide: property keys match `^[a-zA-Z0-9_.-]{1,64}$`; others are answered with 400. */
const anthropicNames: Rule = ({ node }) => {
  const bad = Object.keys(node.properties ?? {}).filter(name => !/^[\w.-]{1,64}$/.test(name))
  return (
    bad.length > 0 &&
    `must name its properties with 1 to 64 of a-z A-Z 0-9 _ . -; found ${JSON.stringify(bad[0])}`
  )
}

/** `Schema` of the Gemini API reference has no such field: "Unknown name …: Cannot find field". */
const geminiFields: Rule = ({ node }) => {
  const unknown = (['const', 'additionalProperties', 'examples'] as const).filter(
    field => node[field] !== undefined,
  )
  return unknown.length > 0 && `must not use ${unknown.map(field => `"${field}"`).join(', ')}`
}

/** Gemini: "enum: only allowed for STRING type", and enum values are strings. */
const geminiEnum: Rule = ({ node }) =>
  node.enum !== undefined && node.type !== 'string' && 'must have "enum" on strings only'

/** Gemini: "properties: should be non-empty for OBJECT type". */
const geminiObject: Rule = ({ node }) =>
  node.type === 'object' && Object.keys(node.properties ?? {}).length === 0 && 'must declare a property'

/** `Schema.type` is required in the Gemini API reference. */
const geminiType: Rule = ({ node }) =>
  node.type === undefined && node.oneOf === undefined && 'must have a "type"'

const rules: Readonly<Record<SchemaProvider, readonly Rule[]>> = {
  openai: [rootIsObject, noOneOf, arrayHasItems],
  'openai-strict': [rootIsObject, noOneOf, arrayHasItems, strictNode, strictObject, strictDepth, strictEnum],
  anthropic: [rootIsObject, anthropicNames],
  gemini: [rootIsObject, noOneOf, geminiFields, geminiType, geminiEnum, arrayHasItems, geminiObject],
}

/**
 * What `provider` would refuse in `schema` as the parameters of a tool; empty when nothing is known to be wrong.
 *
 * Throws `JsonSchemaError` for a schema outside the subset. The rules are the providers' documented ones and those seen in
 * their error messages; a provider may change them at any time.
 */
export function exportProblems(schema: JsonSchemaNode, provider: SchemaProvider): string[] {
  const places = placesOf(compileSchema(schema).jsonSchema)
  const found = places.flatMap(place =>
    rules[provider].flatMap(rule => {
      const problem = rule(place)
      return typeof problem === 'string' ? [`"${printPath('schema', place.path)}" ${problem}`] : []
    }),
  )
  return provider === 'openai-strict' ? [...found, ...strictTotals(places)] : found
}

/** Every node with its path, parents first; a node used in two places at the first one. */
function placesOf(root: JsonSchemaNode): readonly Place[] {
  const seen = new Set([root])
  const places: Place[] = [{ node: root, path: null, objectDepth: root.type === 'object' ? 1 : 0 }]
  for (let index = 0; index < places.length; index += 1) {
    const place = places[index]
    if (place === undefined) continue
    for (const [keys, node] of childrenOf(place.node)) {
      if (seen.has(node)) continue
      seen.add(node)
      const path = keys.reduce<Path | null>((at, key) => childPath(at, key), place.path)
      places.push({ node, path, objectDepth: place.objectDepth + (node.type === 'object' ? 1 : 0) })
    }
  }
  return places
}

function childrenOf(node: JsonSchemaNode): [keys: (string | number)[], child: JsonSchemaNode][] {
  const children: [(string | number)[], JsonSchemaNode][] = Object.entries(node.properties ?? {}).map(
    ([name, property]) => [['properties', name], property],
  )
  if (node.items !== undefined) children.push([['items'], node.items])
  for (const [index, branch] of (node.oneOf ?? []).entries()) children.push([['oneOf', index], branch])
  return children
}

/** Structured outputs guide, "Limitations": totals over the whole schema. */
function strictTotals(places: readonly Place[]): string[] {
  const names = places.flatMap(({ node }) => Object.keys(node.properties ?? {}))
  const values = places.flatMap(({ node }) => [
    ...(node.enum ?? []),
    ...(node.const === undefined ? [] : [node.const]),
  ])
  const enumCount = places.reduce((total, { node }) => total + (node.enum?.length ?? 0), 0)
  const problems: string[] = []
  if (names.length > 5000)
    problems.push(`"schema" must have at most 5000 properties in all, found ${names.length}`)
  if (enumCount > 1000)
    problems.push(`"schema" must have at most 1000 enum values in all, found ${enumCount}`)
  const length = textLength(names) + textLength(values)
  if (length > 120_000)
    problems.push(`"schema" must hold at most 120000 characters of names and values, found ${length}`)
  return problems
}

function textLength(values: readonly unknown[]): number {
  return values.reduce<number>((total, value) => total + (typeof value === 'string' ? value.length : 0), 0)
}
