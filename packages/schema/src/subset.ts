/*
 * Reads a schema: frozen copy, every violation of the subset, and the compiled nodes, in one pass.
 *
 * Invariants:
 * 1. The schema is copied once and only the copy is read, so what was checked is what is enforced.
 * 2. No recursion; a schema object used in two places is compiled once.
 * 3. Every keyword is either enforced, an annotation, or a violation. Nothing is ignored.
 */
import { type HarnessError } from './errors.js'
import { type JsonTypeName } from './json-schema-node.js'
import { type JsonObject, type JsonScalar, type JsonValue } from './json.js'
import { type CompiledNode, losslessNode, newNode, type NodeKind, typeBitOf, typeBits } from './node.js'
import { settleChoices } from './settle-choices.js'
import { childPath, type Path, printPath, shorten } from './path.js'
import { describeReceived } from './received.js'
import { JsonSchemaError } from './schema-error.js'
import { defaultMaxNodes, snapshotJson } from './snapshot-json.js'
import { printProblem } from './violation.js'
import { collect } from './walk.js'

interface Reading {
  readonly nodes: Map<JsonObject, CompiledNode>
  readonly queue: { readonly schema: JsonObject; readonly node: CompiledNode; readonly path: Path | null }[]
  readonly violations: string[]
}

/** The compiled root of `schema`. Throws {@link JsonSchemaError} with every violation. */
export function readSchema(schema: unknown): CompiledNode {
  const copy = detach(schema)
  const reading: Reading = { nodes: new Map(), queue: [], violations: [] }
  const root = nodeOf(reading, copy, null)
  const choices: CompiledNode[] = []
  for (let index = 0; index < reading.queue.length; index += 1) {
    const entry = reading.queue[index]
    if (entry === undefined) continue
    readNode(reading, entry)
    if (entry.node.kind === 'oneOf') choices.push(entry.node)
  }
  if (reading.violations.length > 0) throw new JsonSchemaError(reading.violations)
  settleChoices(choices)
  return root
}

function detach(schema: unknown): JsonValue {
  try {
    return snapshotJson(schema)
  } catch (cause) {
    const problems = collect(losslessNode, schema, { isParsed: false, maxNodes: defaultMaxNodes })
    const violations = problems.map(problem => printProblem('schema', problem))
    throw new JsonSchemaError(violations.length > 0 ? violations : [(cause as HarnessError).message])
  }
}

function nodeOf(reading: Reading, schema: JsonValue, path: Path | null): CompiledNode {
  if (!isObject(schema)) {
    complain(reading, path, `must be a schema object, found ${describeReceived(schema)}`)
    return losslessNode
  }
  const known = reading.nodes.get(schema)
  if (known !== undefined) return known
  const node = newNode(kindOf(schema), schema)
  reading.nodes.set(schema, node)
  reading.queue.push({ schema, node, path })
  return node
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isTypeName(name: JsonValue | undefined): name is JsonTypeName {
  return (
    typeof name === 'string' && Object.hasOwn(typeBits, name) && !['any', 'oneOf', 'never'].includes(name)
  )
}

function kindOf(schema: JsonObject): NodeKind {
  if (Object.hasOwn(schema, 'oneOf')) return 'oneOf'
  return Object.hasOwn(schema, 'type') && isTypeName(schema['type']) ? schema['type'] : 'any'
}

function complain(reading: Reading, path: Path | null, what: string): void {
  reading.violations.push(`"${printPath('schema', path)}" ${what}`)
}

function readNode(
  reading: Reading,
  { schema, node, path }: { schema: JsonObject; node: CompiledNode; path: Path | null },
): void {
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword]
    if (value === undefined) continue
    const at = childPath(path, keyword)
    switch (keyword) {
      case 'description':
      case 'title':
        if (typeof value !== 'string') complain(reading, at, 'must be a string')
        break
      case 'examples':
        if (!Array.isArray(value)) complain(reading, at, 'must be an array')
        break
      case 'default':
        break
      case 'type':
        readType(reading, { value, node, at })
        break
      case 'oneOf':
        readOneOf(reading, { value, node, at })
        break
      case 'enum':
      case 'const':
        if (!node.isScalar) complain(reading, at, 'needs a scalar "type" beside it')
        else readAllowed(reading, { value: keyword === 'enum' ? value : [value], node, at })
        break
      case 'items':
        if (node.kind !== 'array') complain(reading, at, 'needs "type": "array" beside it')
        else node.items = nodeOf(reading, value, at)
        break
      case 'properties':
        if (node.kind !== 'object') complain(reading, at, 'needs "type": "object" beside it')
        else readProperties(reading, { value, node, at })
        break
      case 'required':
      case 'additionalProperties':
        if (node.kind !== 'object') complain(reading, at, 'needs "type": "object" beside it')
        break
      default:
        complain(reading, path, `has the unsupported keyword ${JSON.stringify(shorten(keyword, 40))}`)
    }
  }
  if (node.kind === 'object') readPresence(reading, { schema, node, path })
}

interface Keyword {
  readonly value: JsonValue
  readonly node: CompiledNode
  readonly at: Path | null
}

function readType(reading: Reading, { value, node, at }: Keyword): void {
  if (node.kind === 'oneOf') complain(reading, at, 'cannot stand beside "oneOf"')
  else if (Array.isArray(value)) complain(reading, at, 'must be one type; write a "oneOf" for several')
  else if (!isTypeName(value))
    complain(reading, at, `must be the name of a JSON type, found ${describeReceived(value)}`)
}

function readOneOf(reading: Reading, { value, node, at }: Keyword): void {
  if (!Array.isArray(value) || value.length < 2)
    complain(reading, at, 'must be an array of two or more schemas')
  else node.branches = value.map((branch: JsonValue, index) => nodeOf(reading, branch, childPath(at, index)))
}

function readAllowed(reading: Reading, { value, node, at }: Keyword): void {
  if (!Array.isArray(value) || value.length === 0) {
    complain(reading, at, 'must be an array of at least one value')
    return
  }
  const values: readonly JsonValue[] = value
  const misfits = values.filter(
    item => typeBitOf(item) !== node.types || (node.kind === 'integer' && !Number.isInteger(item)),
  )
  if (misfits.length > 0) {
    complain(reading, at, `must hold values of type "${node.kind}", found ${describeReceived(misfits[0])}`)
  }
  const before = node.allowed
  node.allowed = new Set((values as JsonScalar[]).filter(item => before === null || before.has(item)))
  if (node.allowed.size === 0)
    complain(reading, at, 'leaves no value, because "enum" and "const" exclude each other')
}

function readProperties(reading: Reading, { value, node, at }: Keyword): void {
  if (!isObject(value)) {
    complain(reading, at, 'must be an object of schemas')
    return
  }
  node.names = Object.keys(value)
  node.positions = new Map(node.names.map((name, index) => [name, index]))
  node.children = node.names.map(name => nodeOf(reading, value[name] ?? null, childPath(at, name)))
}

function readPresence(
  reading: Reading,
  { schema, node, path }: { schema: JsonObject; node: CompiledNode; path: Path | null },
): void {
  const required = Object.hasOwn(schema, 'required') ? schema['required'] : []
  const at = childPath(path, 'required')
  const flags = node.names.map(() => false)
  if (!Array.isArray(required)) {
    complain(reading, at, 'must be an array of property names')
  } else {
    for (const name of required as readonly JsonValue[]) {
      const position = typeof name === 'string' ? node.positions.get(name) : undefined
      if (position === undefined)
        complain(reading, at, `names ${describeReceived(name)}, which is not in "properties"`)
      else flags[position] = true
    }
  }
  node.required = flags
  node.requiredCount = flags.filter(Boolean).length
  const open = Object.hasOwn(schema, 'additionalProperties') ? schema['additionalProperties'] : true
  if (typeof open !== 'boolean')
    complain(reading, childPath(path, 'additionalProperties'), 'must be true or false')
  if (open === false) {
    node.rest = newNode('never', node.schema)
    node.rest.names = node.names
  }
}
