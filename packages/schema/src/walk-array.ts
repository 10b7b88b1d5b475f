import { countContainer, openContainer, verdictWithoutWalk } from './graph.js'
import { type CompiledNode } from './node.js'
import { childPath } from './path.js'
import { arrayLength, arrayProblem } from './plain.js'
import { Words } from './problem.js'
import { addProblem, failed, passed, type Run, suspended, type Verdict } from './run.js'
import { scalarFits } from './scalar.js'

/** Opens an array: judges the array itself, and leaves its items to a frame unless they are scalars in a check. */
export function enterArray(run: Run, node: CompiledNode, value: readonly unknown[]): Verdict {
  const known = verdictWithoutWalk(run, node, value)
  if (known !== undefined) return known
  const length = arrayLength(value)
  if (!countContainer(run, node, Math.max(length, 0))) return failed
  const problem = describeProblem(run, value, length)
  if (problem !== null) {
    if (!run.isCollecting) return failed
    addProblem(run, node, { code: 'not plain', found: new Words(problem) })
  }
  if (length <= 0) return problem === null ? passed : failed
  if (!run.isCollecting && node.items.isScalar)
    return checkScalars(node.items, value, length) ? passed : failed
  const frame = openContainer(run, node, value)
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
