/*
 * Decides between the branches of a `oneOf`.
 *
 * Invariants:
 * 1. Exactly one branch must accept the value; two or more is a violation that says how many.
 * 2. A tag settles the choice in constant time, because no other branch could accept an object with that tag.
 * 3. A branch that cannot accept the JSON type of the value is not tried. The only branch left speaks for itself.
 * 4. Branches are tried without collecting. When none accepts, the one that matches best is walked again to say why.
 */
import { recall } from './graph.js'
import { type CompiledNode, typeBitOf, typeBits } from './node.js'
import { type JsonScalar } from './json.js'
import { hasOwn } from './plain.js'
import {
  addProblem,
  failed,
  keepable,
  type Frame,
  pushFrame,
  refuse,
  type Run,
  suspended,
  type Verdict,
} from './run.js'

/** The one branch to walk in place of the choice, or the verdict. */
export function enterOneOf(run: Run, node: CompiledNode, value: unknown): CompiledNode | Verdict {
  const bit = typeBitOf(value)
  if ((node.types & bit) === 0) return refuse(run, node, value)
  if (node.tag !== null && bit === typeBits.object) {
    const chosen = chooseByTag(run, node, value as object)
    if (chosen !== undefined) return chosen
  }
  let only: CompiledNode | undefined
  for (const branch of node.branches) {
    if ((branch.types & bit) === 0) continue
    if (only !== undefined) return openChoice(run, node, { value, bit })
    only = branch
  }
  return only ?? failed
}

function chooseByTag(run: Run, node: CompiledNode, value: object): CompiledNode | Verdict | undefined {
  const { tag } = node
  if (tag === null) return undefined
  const found = hasOwn(value, tag.name) ? (value as Record<string, unknown>)[tag.name] : undefined
  const branch = tag.branchOf.get(found as JsonScalar)
  if (branch !== undefined) return branch
  if (found === undefined && !tag.isRequired) return undefined
  if (run.isCollecting) addProblem(run, node, { code: 'bad tag', found: keepable(found) })
  return failed
}

function openChoice(run: Run, node: CompiledNode, { value, bit }: { value: unknown; bit: number }): Verdict {
  if (run.memo !== null && typeof value === 'object' && value !== null) {
    const known = recall(run, node, value)
    if (known !== undefined) return known
  }
  run.hasChoice = true
  const frame = pushFrame(run, node)
  frame.subject = value
  frame.typeBit = bit
  frame.end = node.branches.length
  return suspended
}

/** The branch to try next, or `undefined` when all were tried or a check has seen two accept. */
export function nextBranch(frame: Frame): CompiledNode | undefined {
  while (frame.next < frame.end && (frame.isCollecting || frame.matches < 2)) {
    const branch = frame.node.branches[frame.next]
    frame.next += 1
    if (branch !== undefined && (branch.types & frame.typeBit) !== 0) return branch
  }
  return undefined
}

/** The branch that comes closest to accepting the subject: the best score, then the first. Looks one level deep. */
export function bestBranch({ node, subject, typeBit }: Frame): CompiledNode {
  const candidates = node.branches.filter(branch => (branch.types & typeBit) !== 0)
  let best = candidates[0] ?? node
  if (typeBit !== typeBits.object) return best
  let bestScore = -Infinity
  for (const branch of candidates) {
    const score = scoreObject(branch, subject as Record<string, unknown>)
    if (score > bestScore) {
      best = branch
      bestScore = score
    }
  }
  return best
}

/** Two points for a declared property of the right type, one for its name alone; one off for each name too many or few. */
function scoreObject(branch: CompiledNode, value: Record<string, unknown>): number {
  let score = -branch.requiredCount
  try {
    for (const key of Object.keys(value)) {
      const position = branch.positions.get(key)
      const child = position === undefined ? undefined : branch.children[position]
      if (child === undefined) score -= branch.rest.kind === 'never' ? 1 : 0
      else score += (child.types & typeBitOf(value[key])) === 0 ? 1 : 2
      if (position !== undefined && branch.required[position] === true) score += 1
    }
  } catch {
    // A hostile object gets whatever score it had: it is refused in any case.
  }
  return score
}
