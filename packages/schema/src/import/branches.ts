import { type JsonSchemaNode } from '../json-schema-node.js'
import { jsonPointer } from '../path.js'
import { allowedBy, alternativesOf, areAllDisjoint } from './overlap.js'
import { type ForeignPath, type Imported, note, type Reader } from './reader.js'
import { unionOf } from './union.js'

interface Branches {
  readonly keyword: 'anyOf' | 'oneOf'
  readonly imported: readonly Imported[]
  readonly path: ForeignPath
}

const maxBranches = 500

/**
 * The branches of an `anyOf` or `oneOf` as one node.
 *
 * Our `oneOf` refuses a value that fits two branches, so branches become one only when they cannot overlap, or when they
 * already were one and mean exactly what they meant. Others are widened, which needs `lossy`.
 */
export function chooseBranches(reader: Reader, { keyword, imported, path }: Branches): Imported {
  const isExact = imported.every(branch => branch.isExact)
  const nodes = imported.map(({ node }) => node)
  const [only] = imported
  if (only !== undefined && imported.length === 1) return only
  if (only === undefined || imported.length > maxBranches) {
    reader.violations.push(`"${jsonPointer(path)}" has ${imported.length} branches in "${keyword}"`)
    return { node: {}, isExact: false }
  }
  if (keyword === 'oneOf' && isExact) return { node: { oneOf: nodes }, isExact }
  const candidates = keyword === 'anyOf' ? absorb(nodes.flatMap(flatten)) : nodes
  const [last] = candidates
  if (candidates.length <= maxBranches && areAllDisjoint(candidates)) {
    if (keyword === 'anyOf')
      note(reader, path, { keyword, effect: 'same', message: 'its branches became a "oneOf"' })
    return { node: candidates.length === 1 && last !== undefined ? last : { oneOf: candidates }, isExact }
  }
  if (!reader.isLossy) {
    reader.violations.push(
      `"${jsonPointer(path)}" has overlapping branches in "${keyword}"; { lossy: true } widens them`,
    )
    return { node: {}, isExact: false }
  }
  note(reader, path, {
    keyword,
    effect: 'weaker',
    message: 'overlapping branches were widened to one for each type',
  })
  return { node: unionOf(nodes), isExact: false }
}

/** The branches of a choice that cannot overlap are as good as branches of the choice around it. */
function flatten(node: JsonSchemaNode): readonly JsonSchemaNode[] {
  return node.oneOf !== undefined && areAllDisjoint(node.oneOf) ? alternativesOf(node) : [node]
}

/** Leaves out what another branch accepts anyway. */
function absorb(nodes: readonly JsonSchemaNode[]): readonly JsonSchemaNode[] {
  return nodes.filter(
    (node, index) =>
      !nodes.some(
        (other, at) => at !== index && accepts(other, node) && (at < index || !accepts(node, other)),
      ),
  )
}

/** Whether `wide` is sure to accept whatever `narrow` accepts. */
function accepts(wide: JsonSchemaNode, narrow: JsonSchemaNode): boolean {
  if (wide.type === undefined) return wide.oneOf === undefined
  if (wide.type === 'object' || wide.type === 'array') return sameShape(wide) === sameShape(narrow)
  if (narrow.type !== wide.type && !(wide.type === 'number' && narrow.type === 'integer')) return false
  const allowed = allowedBy(wide)
  return allowed === undefined || (allowedBy(narrow)?.every(value => allowed.includes(value)) ?? false)
}

function sameShape({ type, properties, required, additionalProperties, items }: JsonSchemaNode): string {
  return JSON.stringify({ type, properties, required, additionalProperties, items })
}
