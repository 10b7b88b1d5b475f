/*
 * Decides between the branches of a `oneOf`.
 *
 * Invariants:
 * 1. A tag settles the choice in constant time, because no other branch could accept an object with that tag.
 * 2. A branch that cannot accept the JSON type of the value is not tried. The only branch left speaks for itself.
 */
import { type JsonScalar } from './json.js'
import { type CompiledNode, findProperty, objectBit, typeBitOf } from './node.js'
import { hasOwn } from './plain.js'

/**
 * The one branch to walk in place of the choice; `null` when none could accept `value`; `undefined` when several have to
 * be tried. May throw on a hostile value.
 */
export function decideBranch(node: CompiledNode, value: unknown): CompiledNode | null | undefined {
  const bit = typeBitOf(value)
  if ((node.types & bit) === 0) return null
  const { tag } = node
  if (tag !== null && bit === objectBit) {
    const found = tagOf(node, value)
    const branch = tag.branchOf.get(found as JsonScalar)
    if (branch !== undefined) return branch
    if (found !== undefined || tag.isRequired) return null
  }
  let only: CompiledNode | null = null
  for (const branch of node.branches) {
    if ((branch.types & bit) === 0) continue
    if (only !== null) return undefined
    only = branch
  }
  return only
}

/** What `value` has in the place of the tag. */
export function tagOf({ tag }: CompiledNode, value: unknown): unknown {
  return tag !== null && hasOwn(value as object, tag.name)
    ? (value as Record<string, unknown>)[tag.name]
    : undefined
}

/** The branches that may accept the type of `value`. */
export function candidatesFor(node: CompiledNode, value: unknown): CompiledNode[] {
  const bit = typeBitOf(value)
  return node.branches.filter(branch => (branch.types & bit) !== 0)
}

/** The candidate that comes closest to accepting `value`: the best score, then the first. Looks one level deep. */
export function bestBranch(candidates: readonly CompiledNode[], value: unknown): CompiledNode | undefined {
  let best: CompiledNode | undefined
  let bestScore = -Infinity
  for (const branch of candidates) {
    const score = branch.kind === 'object' ? scoreObject(branch, value as Record<string, unknown>) : 0
    if (best !== undefined && score <= bestScore) continue
    best = branch
    bestScore = score
  }
  return best
}

/** Two points for a declared property of the right type, one for its name alone; one off for each name too many or few. */
function scoreObject(branch: CompiledNode, value: Record<string, unknown>): number {
  let score = -branch.requiredCount
  try {
    for (const key of Object.keys(value)) {
      const property = findProperty(branch, key)
      if (property === undefined) score -= branch.rest.kind === 'never' ? 1 : 0
      else
        score += ((property.node.types & typeBitOf(value[key])) === 0 ? 1 : 2) + (property.isRequired ? 1 : 0)
    }
  } catch {
    // A hostile object gets whatever score it had: it is refused in any case.
  }
  return score
}
