import { type JsonSchemaNode, type JsonTypeName } from '../json-schema-node.js'
import { type JsonScalar } from '../json.js'

/** The nodes a value must fit one of: the branches of a choice, innermost, or the node itself. */
export function alternativesOf(node: JsonSchemaNode): readonly JsonSchemaNode[] {
  return node.oneOf === undefined ? [node] : node.oneOf.flatMap(alternativesOf)
}

/** Whether no two of the nodes accept a common value, as far as it can be told. */
export function areAllDisjoint(nodes: readonly JsonSchemaNode[]): boolean {
  return nodes.every((node, index) => nodes.slice(index + 1).every(other => areDisjoint(node, other)))
}

function areDisjoint(left: JsonSchemaNode, right: JsonSchemaNode): boolean {
  return alternativesOf(left).every(mine =>
    alternativesOf(right).every(theirs => excludeEachOther(mine, theirs)),
  )
}

function excludeEachOther(left: JsonSchemaNode, right: JsonSchemaNode): boolean {
  if (left.type === undefined || right.type === undefined) return false
  if (familyOf(left.type) !== familyOf(right.type)) return true
  if (left.type === 'object') return haveDistinctShapes(left, right) || haveDistinctShapes(right, left)
  return areDisjointSets(allowedBy(left), allowedBy(right))
}

/** `left` requires what `right` cannot have: a tag of another value, or a property it does not allow. */
function haveDistinctShapes(left: JsonSchemaNode, right: JsonSchemaNode): boolean {
  return (left.required ?? []).some(name => {
    const mine = propertyOf(left, name)
    const theirs = propertyOf(right, name)
    if (theirs === undefined) return right.additionalProperties === false
    return mine !== undefined && areDisjointSets(allowedBy(mine), allowedBy(theirs))
  })
}

export function propertyOf(node: JsonSchemaNode, name: string): JsonSchemaNode | undefined {
  return node.properties !== undefined && Object.hasOwn(node.properties, name)
    ? node.properties[name]
    : undefined
}

/** Integers are numbers. */
export function familyOf(type: JsonTypeName): JsonTypeName {
  return type === 'integer' ? 'number' : type
}

/** The values a node is limited to. */
export function allowedBy(node: JsonSchemaNode): readonly JsonScalar[] | undefined {
  const values = node.const === undefined ? node.enum : [node.const]
  return values as readonly JsonScalar[] | undefined
}

function areDisjointSets(
  left: readonly JsonScalar[] | undefined,
  right: readonly JsonScalar[] | undefined,
): boolean {
  return left !== undefined && right !== undefined && left.every(value => !right.includes(value))
}
