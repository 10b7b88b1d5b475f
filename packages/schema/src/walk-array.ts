import { closeFlat, countContainer, openContainer, verdictWithoutWalk } from './graph.js'
import { type CompiledNode } from './node.js'
import { childPath } from './path.js'
import { arrayLength, arrayProblem } from './plain.js'
import { Words } from './problem.js'
import { addProblem, failed, type Run, suspended, type Verdict } from './run.js'
import { scalarFits } from './scalar.js'

/** Opens an array: judges the array itself, and leaves its items to a frame unless they are scalars in a check. */
export function enterArray(run: Run, node: CompiledNode, value: readonly unknown[]): Verdict {
  const known = verdictWithoutWalk(run, node, value)
  if (known !== undefined) return known
  const length = arrayLength(value)
  if (!countContainer(run, node, Math.max(length, 0))) return failed
  const problem = describeProblem(run, value, length)
  if (!run.isCollecting) {
    if (problem !== null) return failed
    if (node.items.isScalar) {
      return closeFlat(run, node, { value, ok: checkScalars(node.items, value, length) })
    }
  } else if (problem !== null) {
    addProblem(run, node, { code: 'not plain', found: new Words(problem) })
  }
  if (length <= 0) return closeFlat(run, node, { value, ok: problem === null })
  const frame = openContainer(run, node, { value, pendingStart: run.pendingEnd })
  if (run.isCollecting) frame.at = childPath(run.at, run.key)
  frame.end = length
  frame.ok = problem === null
  return suspended
}

function describeProblem(run: Run, value: readonly unknown[], length: number): string | null {
  if (length === -1) return 'an array without a valid length'
  if (run.isParsed) return null
  try {
    return arrayProblem(value, length)
  } catch {
    return 'an array that cannot be inspected (a trap of its Proxy threw)'
  }
}

function checkScalars(items: CompiledNode, value: readonly unknown[], length: number): boolean {
  for (let index = 0; index < length; index += 1) {
    if (!scalarFits(items, value[index])) return false
  }
  return true
}
