/*
 * Turns one foreign schema node into a node of the subset.
 *
 * Invariants:
 * 1. What the foreign schema accepts, the result accepts. It may accept more; then it is not `exact`, and either the
 *    description says what was meant or the caller asked for `lossy`.
 * 2. Every keyword is kept, noted as a change, or a violation.
 * 3. Depth is bounded, so a hostile server cannot overflow the stack.
 */
import { type JsonSchemaNode, type JsonTypeName } from '../json-schema-node.js'
import { type JsonObject, type JsonScalar, type JsonValue } from '../json.js'
import { jsonPointer, shorten } from '../path.js'
import { chooseBranches } from './branches.js'
import { annotations, describable, lossyOnly, silent, structural } from './keywords.js'
import { type ForeignPath, type Imported, isObject, note, own, type Reader, refuseOrDrop } from './reader.js'
import { merge, resolve, without } from './resolve.js'

const maxDepth = 200

const anything: Imported = { node: {}, isExact: true }

export function importNode(reader: Reader, foreign: JsonValue | undefined, path: ForeignPath): Imported {
  if (foreign === true) return anything
  if (!isObject(foreign) || path.length > maxDepth * 2) {
    const what = isObject(foreign) ? `is nested deeper than ${maxDepth} levels` : 'must be a schema'
    reader.violations.push(`"${jsonPointer(path)}" ${what}`)
    return anything
  }
  const known = reader.done.get(foreign)
  if (known !== undefined) return known
  const resolved = resolve(reader, foreign, path)
  if (resolved === undefined) return anything
  for (const pointer of resolved.pointers) reader.open.add(pointer)
  const imported = importResolved(reader, resolved.schema, path)
  for (const pointer of resolved.pointers) reader.open.delete(pointer)
  reader.done.set(foreign, imported)
  return imported
}

function importResolved(reader: Reader, schema: JsonObject, path: ForeignPath): Imported {
  const notes = sortKeywords(reader, schema, path)
  const { node, isExact } = importStructure(reader, schema, path)
  return { node: describe(schema, node, notes), isExact: isExact && notes.length === 0 }
}

/** Notes every keyword that is not structure; returns the ones to put into the description. */
function sortKeywords(reader: Reader, schema: JsonObject, path: ForeignPath): string[] {
  const notes: string[] = []
  for (const [keyword, value] of Object.entries(schema)) {
    if (structural.has(keyword) || annotations.has(keyword)) continue
    if (describable.has(keyword)) {
      notes.push(`${keyword}: ${shorten(JSON.stringify(value), 200)}`)
      note(reader, path, {
        keyword,
        effect: 'weaker',
        message: `"${keyword}" was moved into the description`,
      })
    } else if (lossyOnly.has(keyword)) {
      notes.push(`${keyword}: ${shorten(JSON.stringify(value), 200)}`)
      refuseOrDrop(reader, path, keyword)
    } else {
      const known = silent.has(keyword) || keyword.startsWith('x-')
      const message = known ? `"${keyword}" was dropped` : `"${keyword}" is no keyword and was dropped`
      note(reader, path, { keyword, effect: 'same', message })
    }
  }
  return notes
}

function describe(schema: JsonObject, node: JsonSchemaNode, notes: readonly string[]): JsonSchemaNode {
  const description = own(schema, 'description')
  const title = own(schema, 'title')
  const fallback = own(schema, 'default')
  const examples = own(schema, 'examples')
  const told = [
    typeof description === 'string' ? description : node.description,
    ...notes.map(text => `(${text})`),
  ]
  const text = told.filter(part => part !== undefined && part !== '').join(' ')
  return {
    ...node,
    ...(text !== '' && { description: text }),
    ...(typeof title === 'string' && { title }),
    ...(fallback !== undefined && { default: fallback }),
    ...(Array.isArray(examples) && { examples: examples as readonly JsonValue[] }),
  }
}

function importStructure(reader: Reader, schema: JsonObject, path: ForeignPath): Imported {
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const branches = own(schema, keyword)
    if (Array.isArray(branches)) return importChoice(reader, { schema, keyword, branches, path })
  }
  const types = typesOf(reader, schema, path)
  if (types === undefined) return anything
  const alternatives = types.flatMap(type => importType(reader, { schema, type, path }) ?? [])
  const [only] = alternatives
  if (only === undefined) {
    reader.violations.push(`"${jsonPointer(path)}" accepts no value at all`)
    return anything
  }
  if (alternatives.length === 1) return only
  note(reader, path, { keyword: 'type', effect: 'same', message: 'several types became a "oneOf"' })
  return {
    node: { oneOf: alternatives.map(({ node }) => node) },
    isExact: alternatives.every(({ isExact }) => isExact),
  }
}

interface Choice {
  readonly schema: JsonObject
  readonly keyword: 'anyOf' | 'oneOf'
  readonly branches: readonly JsonValue[]
  readonly path: ForeignPath
}

function importChoice(reader: Reader, { schema, keyword, branches, path }: Choice): Imported {
  // What stands beside the choice holds for every branch.
  const shared = without(schema, keyword, ...annotations, ...silent, ...describable, ...lossyOnly)
  const imported = branches.map((branch, index) => {
    const at = [...path, keyword, index]
    const whole =
      isObject(branch) && Object.keys(shared).length > 0 ? merge(reader, [branch, shared], at) : branch
    return importNode(reader, whole, at)
  })
  return chooseBranches(reader, { keyword, imported, path })
}

const allTypes: readonly JsonTypeName[] = ['object', 'array', 'string', 'number', 'boolean', 'null']

/** The types a node accepts, or `undefined` when nothing limits them. */
function typesOf(reader: Reader, schema: JsonObject, path: ForeignPath): readonly JsonTypeName[] | undefined {
  const type = own(schema, 'type')
  const named = (Array.isArray(type) ? (type as JsonValue[]) : [type]).filter(
    (name): name is JsonTypeName => name === 'integer' || allTypes.includes(name as JsonTypeName),
  )
  if (type !== undefined && named.length === 0) {
    reader.violations.push(`"${jsonPointer(path)}" has the unknown type ${JSON.stringify(type)}`)
    return undefined
  }
  if (named.length > 0) {
    const nullable: readonly JsonTypeName[] = own(schema, 'nullable') === true ? ['null'] : []
    const types = new Set([...named, ...nullable])
    if (types.has('number')) types.delete('integer')
    return [...types]
  }
  const hasObjectKeyword = ['properties', 'required', 'additionalProperties'].some(keyword =>
    Object.hasOwn(schema, keyword),
  )
  if (path.length === 0 && hasObjectKeyword) {
    // The arguments of a call are always an object.
    note(reader, path, { keyword: 'type', effect: 'same', message: 'the root was taken to be an object' })
    return ['object']
  }
  const isLimited =
    hasObjectKeyword ||
    ['enum', 'const', 'items', 'prefixItems'].some(keyword => Object.hasOwn(schema, keyword))
  return isLimited ? allTypes : undefined
}

interface Typed {
  readonly schema: JsonObject
  readonly type: JsonTypeName
  readonly path: ForeignPath
}

/** One type of a node, or `undefined` when `enum` and `const` leave no value of it. */
function importType(reader: Reader, { schema, type, path }: Typed): Imported | undefined {
  const values = allowedValues(schema)?.filter(value => isOfType(value, type))
  if (values?.length === 0) return undefined
  if (type === 'object') {
    return values === undefined ? importObject(reader, schema, path) : widened(reader, { type }, path)
  }
  if (type === 'array') {
    return values === undefined ? importArray(reader, schema, path) : widened(reader, { type }, path)
  }
  if (values === undefined) return { node: { type }, isExact: true }
  const [first] = values
  const isConst = values.length === 1 && first !== undefined && Object.hasOwn(schema, 'const')
  const node = isConst ? { type, const: first } : { type, enum: [...new Set(values as JsonScalar[])] }
  return { node, isExact: true }
}

function widened(reader: Reader, node: JsonSchemaNode, path: ForeignPath): Imported {
  note(reader, path, {
    keyword: 'enum',
    effect: 'weaker',
    message: 'objects and arrays in "enum" became their type',
  })
  return { node, isExact: false }
}

function allowedValues(schema: JsonObject): readonly JsonValue[] | undefined {
  const list = own(schema, 'enum')
  const listed = Array.isArray(list) ? (list as JsonValue[]) : undefined
  const constant = own(schema, 'const')
  if (constant === undefined) return listed
  const text = JSON.stringify(constant)
  return listed === undefined || listed.some(value => JSON.stringify(value) === text) ? [constant] : []
}

function isOfType(value: JsonValue, type: JsonTypeName): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}

function importObject(reader: Reader, schema: JsonObject, path: ForeignPath): Imported {
  const foreign = own(schema, 'properties')
  const properties = new Map<string, JsonSchemaNode>()
  let isExact = true
  for (const [name, property] of isObject(foreign) ? Object.entries(foreign) : []) {
    const imported = importNode(reader, property, [...path, 'properties', name])
    properties.set(name, imported.node)
    isExact &&= imported.isExact
  }
  const listed = own(schema, 'required')
  const required = [...new Set(Array.isArray(listed) ? (listed as JsonValue[]) : [])].filter(
    name => typeof name === 'string',
  )
  for (const name of required) if (!properties.has(name)) properties.set(name, {})
  const additional = own(schema, 'additionalProperties')
  if (isObject(additional) && Object.keys(additional).length > 0) {
    isExact = false
    const message = 'the object was opened: what undeclared properties hold is not checked'
    note(reader, path, { keyword: 'additionalProperties', effect: 'weaker', message })
  }
  // A pattern may let names through that are not declared.
  const isClosed = additional === false && !Object.hasOwn(schema, 'patternProperties')
  const node: JsonSchemaNode = {
    type: 'object',
    ...(properties.size > 0 && { properties: Object.fromEntries(properties) }),
    ...(required.length > 0 && { required }),
    ...(isClosed && { additionalProperties: false }),
  }
  return { node, isExact }
}

function importArray(reader: Reader, schema: JsonObject, path: ForeignPath): Imported {
  const items = own(schema, 'items')
  const tuple = Array.isArray(items) ? 'items' : 'prefixItems'
  if (Array.isArray(items) || Object.hasOwn(schema, 'prefixItems')) {
    const message = 'the types of a tuple are not checked'
    note(reader, path, { keyword: tuple, effect: 'weaker', message })
    return { node: { type: 'array' }, isExact: false }
  }
  if (items === undefined || items === true) return { node: { type: 'array' }, isExact: true }
  if (items === false) {
    note(reader, path, { keyword: 'items', effect: 'weaker', message: 'the array need not be empty' })
    return { node: { type: 'array' }, isExact: false }
  }
  const imported = importNode(reader, items, [...path, 'items'])
  return { node: { type: 'array', items: imported.node }, isExact: imported.isExact }
}
