import { type JsonSchemaNode, type JsonTypeName } from '../json-schema-node.js'
import { allowedBy, alternativesOf, familyOf, propertyOf } from './overlap.js'

/*
 * Widens overlapping branches to one branch for each JSON type, which accepts at least what the branches accepted.
 * A `oneOf` of the branches themselves would refuse every value that fits two of them.
 */

/** The smallest schema of the subset that is sure to accept whatever one of `nodes` accepts. */
export function unionOf(nodes: readonly JsonSchemaNode[]): JsonSchemaNode {
  const alternatives = nodes.flatMap(alternativesOf)
  const byType = new Map<JsonTypeName, JsonSchemaNode[]>()
  for (const node of alternatives) {
    if (node.type === undefined) return {}
    const family = familyOf(node.type)
    byType.set(family, [...(byType.get(family) ?? []), node])
  }
  const branches = [...byType.values()].map(unionOfType)
  const [only] = branches
  return branches.length === 1 && only !== undefined ? only : { oneOf: branches }
}

function unionOfType(nodes: readonly JsonSchemaNode[]): JsonSchemaNode {
  const [first] = nodes
  if (first === undefined || nodes.length === 1) return first ?? {}
  const description = nodes.map(node => node.description).find(text => text !== undefined)
  return { ...withoutAnnotations(first, nodes), ...(description !== undefined && { description }) }
}

function withoutAnnotations(first: JsonSchemaNode, nodes: readonly JsonSchemaNode[]): JsonSchemaNode {
  switch (first.type) {
    case 'object':
      return unionOfObjects(nodes)
    case 'array':
      return nodes.some(node => node.items === undefined)
        ? { type: 'array' }
        : { type: 'array', items: unionOf(nodes.flatMap(node => node.items ?? [])) }
    default:
      return unionOfScalars(nodes)
  }
}

function unionOfScalars(nodes: readonly JsonSchemaNode[]): JsonSchemaNode {
  const type = nodes.every(node => node.type === 'integer') ? 'integer' : familyOf(nodes[0]?.type ?? 'null')
  const sets = nodes.map(allowedBy)
  if (sets.includes(undefined)) return { type }
  return { type, enum: [...new Set(sets.flatMap(set => set ?? []))] }
}

function unionOfObjects(nodes: readonly JsonSchemaNode[]): JsonSchemaNode {
  const names = new Set(nodes.flatMap(node => Object.keys(node.properties ?? {})))
  const properties = Object.fromEntries([...names].map(name => [name, unionOfProperty(nodes, name)]))
  const required = [...names].filter(name => nodes.every(node => node.required?.includes(name)))
  const isClosed = nodes.every(node => node.additionalProperties === false)
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    ...(isClosed && { additionalProperties: false }),
  }
}

function unionOfProperty(nodes: readonly JsonSchemaNode[], name: string): JsonSchemaNode {
  const known: JsonSchemaNode[] = []
  for (const node of nodes) {
    const property = propertyOf(node, name)
    if (property !== undefined) known.push(property)
    // An open object accepts anything under a name it does not declare.
    else if (node.additionalProperties !== false) return {}
  }
  return unionOf(known)
}
