/*
 * Reads a schema: frozen copy, compiled nodes, and every violation of the subset.
 *
 * Invariants:
 * 1. The schema is copied once and only the copy is read, so what was checked is what is enforced.
 * 2. No recursion; a schema object used in two places is compiled once.
 * 3. Paths and words are made in a second reading, and only for a schema that is refused.
 * 4. Every keyword is either enforced, an annotation, or a violation. Nothing is ignored.
 */
import { type HarnessError } from './errors.js'
import { type JsonTypeName } from './json-schema-node.js'
import { type JsonObject, type JsonScalar, type JsonValue } from './json.js'
import {
  type CompiledNode,
  findProperty,
  losslessNode,
  newNode,
  type NodeKind,
  typeBitOf,
  typeBits,
} from './node.js'
import { settleChoices } from './settle-choices.js'
import { childPath, type Path, printPath, shorten } from './path.js'
import { describeReceived } from './received.js'
import { JsonSchemaError } from './schema-error.js'
import { snapshotJson } from './snapshot-json.js'
import { printProblem } from './violation.js'
import { collect } from './walk.js'

interface Entry {
  readonly schema: JsonObject
  readonly node: CompiledNode
  readonly path: Path | null
}

interface Reading {
  readonly nodes: Map<JsonObject, CompiledNode>
  /** The nodes that were found and are read when all found before them are. */
  found: Entry[]
  readonly choices: CompiledNode[]
  isRefused: boolean
  /** `null` while nobody has to be told why. */
  readonly violations: string[] | null
  /** The node that is being read, and the keyword of it. */
  path: Path | null
  keyword: string | undefined
}

/** The compiled root of `schema`. Throws {@link JsonSchemaError} with every violation. */
export function readSchema(schema: unknown): CompiledNode {
  const copy = detach(schema)
  const violations: string[] = []
  const root = readNodes(copy, null) ?? readNodes(copy, violations)
  if (root === undefined) throw new JsonSchemaError(violations)
  return root
}

function detach(schema: unknown): JsonValue {
  try {
    return snapshotJson(schema)
  } catch (cause) {
    const problems = collect(losslessNode, schema, {})
    const violations = problems.map(problem => printProblem('schema', problem))
    throw new JsonSchemaError(violations.length > 0 ? violations : [(cause as HarnessError).message])
  }
}

function readNodes(schema: JsonValue, violations: string[] | null): CompiledNode | undefined {
  const reading: Reading = {
    nodes: new Map(),
    found: [],
    choices: [],
    isRefused: false,
    violations,
    path: null,
    keyword: undefined,
  }
  const root = nodeOf(reading, schema)
  while (reading.found.length > 0 && (violations !== null || !reading.isRefused)) {
    const { found } = reading
    reading.found = []
    for (const entry of found) readNode(reading, entry)
  }
  if (reading.isRefused) return undefined
  settleChoices(reading.choices)
  return root
}

/** The node for what stands at the current keyword, to be filled in later. */
function nodeOf(reading: Reading, schema: JsonValue | undefined, key?: string | number): CompiledNode {
  if (!isObject(schema)) {
    complain(reading, `must be a schema object, found ${describeReceived(schema)}`, key)
    return losslessNode
  }
  const known = reading.nodes.get(schema)
  if (known !== undefined) return known
  const node = newNode(kindOf(schema), schema)
  reading.nodes.set(schema, node)
  if (node.kind === 'oneOf') reading.choices.push(node)
  reading.found.push({ schema, node, path: pathOf(reading, key) })
  return node
}

function pathOf({ path, keyword, violations }: Reading, key: string | number | undefined): Path | null {
  return violations === null ? null : childPath(childPath(path, keyword), key)
}

function complain(reading: Reading, what: string, key?: string | number): void {
  reading.isRefused = true
  reading.violations?.push(`"${printPath('schema', pathOf(reading, key))}" ${what}`)
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

function readNode(reading: Reading, { schema, node, path }: Entry): void {
  reading.path = path
  for (const keyword of Object.keys(schema)) {
    reading.keyword = keyword
    readKeyword(reading, node, schema[keyword] ?? null)
  }
  if (node.kind !== 'object') return
  if (node.rest.kind === 'never') node.rest.properties = node.properties
  reading.keyword = 'required'
  if (Object.hasOwn(schema, 'required')) readRequired(reading, node, schema['required'] ?? null)
}

function readKeyword(reading: Reading, node: CompiledNode, value: JsonValue): void {
  switch (reading.keyword) {
    case 'description':
    case 'title':
      if (typeof value !== 'string') complain(reading, 'must be a string')
      break
    case 'examples':
      if (!Array.isArray(value)) complain(reading, 'must be an array')
      break
    case 'default':
      break
    case 'type':
      readType(reading, node, value)
      break
    case 'oneOf':
      readOneOf(reading, node, value)
      break
    case 'enum':
    case 'const':
      if (!node.isScalar) complain(reading, 'needs a scalar "type" beside it')
      else readAllowed(reading, node, reading.keyword === 'enum' ? value : [value])
      break
    case 'items':
      if (isBeside(reading, node, 'array')) node.items = nodeOf(reading, value)
      break
    case 'properties':
      if (isBeside(reading, node, 'object')) readProperties(reading, node, value)
      break
    case 'required':
      isBeside(reading, node, 'object')
      break
    case 'additionalProperties':
      if (isBeside(reading, node, 'object')) readOpenness(reading, node, value)
      break
    default: {
      const unknown = JSON.stringify(shorten(reading.keyword ?? '', 40))
      reading.keyword = undefined
      complain(reading, `has the unsupported keyword ${unknown}`)
    }
  }
}

function isBeside(reading: Reading, node: CompiledNode, type: 'array' | 'object'): boolean {
  if (node.kind !== type) complain(reading, `needs "type": "${type}" beside it`)
  return node.kind === type
}

function readType(reading: Reading, node: CompiledNode, value: JsonValue): void {
  if (node.kind === 'oneOf') complain(reading, 'cannot stand beside "oneOf"')
  else if (Array.isArray(value)) complain(reading, 'must be one type; write a "oneOf" for several')
  else if (!isTypeName(value)) {
    complain(reading, `must be the name of a JSON type, found ${describeReceived(value)}`)
  }
}

function readOneOf(reading: Reading, node: CompiledNode, value: JsonValue): void {
  if (!Array.isArray(value) || value.length < 2) complain(reading, 'must be an array of two or more schemas')
  else node.branches = value.map((branch: JsonValue, index) => nodeOf(reading, branch, index))
}

function readAllowed(reading: Reading, node: CompiledNode, value: JsonValue): void {
  if (!Array.isArray(value) || value.length === 0) {
    complain(reading, 'must be an array of at least one value')
    return
  }
  const values: readonly JsonValue[] = value
  const misfit = values.find(
    item => typeBitOf(item) !== node.types || (node.kind === 'integer' && !Number.isInteger(item)),
  )
  if (misfit !== undefined) {
    complain(reading, `must hold values of type "${node.kind}", found ${describeReceived(misfit)}`)
  }
  const before = node.allowed
  const distinct = new Set((values as JsonScalar[]).filter(item => before === null || before.includes(item)))
  node.allowed = [...distinct]
  node.allowedSet = distinct.size > 8 ? distinct : null
  if (distinct.size === 0) complain(reading, 'leaves no value, because "enum" and "const" exclude each other')
}

function readProperties(reading: Reading, node: CompiledNode, value: JsonValue): void {
  if (!isObject(value)) {
    complain(reading, 'must be an object of schemas')
    return
  }
  node.properties = Object.keys(value).map((name, index) => {
    return { name, index, node: nodeOf(reading, value[name], name), isRequired: false }
  })
}

/** Read last, because the names have to be among the properties. */
function readRequired(reading: Reading, node: CompiledNode, value: JsonValue): void {
  if (!Array.isArray(value)) {
    complain(reading, 'must be an array of property names')
    return
  }
  let guess = 0
  for (const name of value as readonly JsonValue[]) {
    // Mostly they are in the order of the properties, and then no map is needed.
    let property = node.properties[guess]
    if (property?.name !== name) property = typeof name === 'string' ? findProperty(node, name) : undefined
    if (property === undefined)
      complain(reading, `names ${describeReceived(name)}, which is not in "properties"`)
    else if (!property.isRequired) {
      guess = property.index + 1
      property.isRequired = true
      node.requiredCount += 1
    }
  }
}

function readOpenness(reading: Reading, node: CompiledNode, value: JsonValue): void {
  if (typeof value !== 'boolean') complain(reading, 'must be true or false')
  if (value === false) node.rest = newNode('never', node.schema)
}
