/*
 * Opens an object: judges what it holds itself, and leaves the containers in it to a frame.
 *
 * Invariants:
 * 1. One `for in` reads every own property exactly once. It is the fastest enumeration there is, and usually meets the
 *    declared names in schema order.
 * 2. A check stops at the first problem, in any order. A collecting walk reports problems of the object itself, then
 *    missing names, then properties in schema order, then undeclared keys in value order; none hides another.
 * 3. Only own properties count. A required property that is present as `undefined` is missing.
 * 4. A frame is pushed last, so that an exception on the way leaves the stack whole.
 */
import { countContainer, openContainer, remember, verdictWithoutWalk } from './graph.js'
import { anyNode, type CompiledNode } from './node.js'
import { childPath } from './path.js'
import { hasOwn, isWellFormed, objectProblem } from './plain.js'
import { Words } from './problem.js'
import { unreadable } from './received.js'
import { addProblem, failed, passed, postpone, refuse, type Run, suspended, type Verdict } from './run.js'
import { scalarFits } from './scalar.js'

type Properties = Record<string, unknown>

export function enterObject(run: Run, node: CompiledNode, value: object): Verdict {
  return (
    verdictWithoutWalk(run, node, value) ??
    (run.isCollecting ? collectObject(run, node, value) : checkObject(run, node, value))
  )
}

function checkObject(run: Run, node: CompiledNode, value: object): Verdict {
  const pendingStart = run.pendingEnd
  let guess = 0
  let count = 0
  let requiredCount = 0
  for (const key in value) {
    if (!hasOwn(value, key)) continue
    count += 1
    const item = (value as Properties)[key]
    const position = node.names[guess] === key ? guess : node.positions.get(key)
    let child = node.rest
    if (position === undefined) {
      if (node.isWellFormedOnly && !isWellFormed(key)) return failed
    } else {
      guess = position + 1
      child = node.children[position] ?? anyNode
      // Present as `undefined` is missing, and is refused below because `undefined` fits no node.
      if (node.required[position] === true) requiredCount += 1
    }
    if (mustWait(child, item)) postpone(run, child, item)
    else if (!scalarFits(child, item)) return failed
  }
  if (requiredCount !== node.requiredCount) return failed
  if (!run.isParsed && objectProblem(value, count) !== null) return failed
  if (!countContainer(run, node, count)) return failed
  if (run.pendingEnd > pendingStart) return openPending(run, node, { value, pendingStart, ok: true })
  if (run.memo !== null) remember(run, node, { value, ok: true, isReported: false })
  return passed
}

interface Opened {
  readonly value: object
  readonly pendingStart: number
  readonly ok: boolean
}

function openPending(run: Run, node: CompiledNode, { value, pendingStart, ok }: Opened): Verdict {
  const frame = openContainer(run, node, value)
  frame.pendingStart = pendingStart
  frame.next = pendingStart
  frame.end = run.pendingEnd
  frame.ok = ok
  return suspended
}

function mustWait(child: CompiledNode, item: unknown): boolean {
  return !child.isScalar && ((typeof item === 'object' && item !== null) || child.kind === 'oneOf')
}

interface Found {
  /** The values of the declared properties, in schema order. */
  readonly declared: unknown[]
  /** The keys and values of the others, in value order. */
  others: [key: string, value: unknown][] | null
  count: number
  requiredCount: number
}

/** Stands for a property that is not there, because one can be there as `undefined`. */
const absent = Symbol('absent')

function collectObject(run: Run, node: CompiledNode, value: object): Verdict {
  const found = readProperties(node, value as Properties)
  let ok = reportObject(run, node, { value, found })
  if (!countContainer(run, node, found.count)) return failed
  run.at = childPath(run.at, run.key)
  run.owner = node
  const pendingStart = run.pendingEnd
  run.pendingStart = pendingStart
  if (found.requiredCount < node.requiredCount) {
    reportMissing(run, node, found)
    ok = false
  }
  for (let index = 0; index < node.names.length; index += 1) {
    const item = found.declared[index]
    if (item === absent) continue
    run.key = node.names[index]
    if (!visitOrWait(run, node.children[index] ?? anyNode, item)) ok = false
  }
  for (const [key, item] of found.others ?? []) {
    run.key = key
    if (!visitOrWait(run, node.rest, item)) ok = false
  }
  if (run.pendingEnd > pendingStart) return openPending(run, node, { value, pendingStart, ok })
  if (run.memo !== null) remember(run, node, { value, ok, isReported: true })
  return ok ? passed : failed
}

function readProperties(node: CompiledNode, value: Properties): Found {
  const found: Found = {
    declared: new Array<unknown>(node.names.length).fill(absent),
    others: null,
    count: 0,
    requiredCount: 0,
  }
  let guess = 0
  for (const key in value) {
    if (!hasOwn(value, key)) continue
    found.count += 1
    let item: unknown
    try {
      item = value[key]
    } catch {
      item = unreadable
    }
    const position = node.names[guess] === key ? guess : node.positions.get(key)
    if (position === undefined) {
      found.others ??= []
      found.others.push([key, item])
    } else {
      guess = position + 1
      found.declared[position] = item
      if (node.required[position] === true && item !== undefined) found.requiredCount += 1
    }
  }
  return found
}

function reportObject(
  run: Run,
  node: CompiledNode,
  { value, found }: { value: object; found: Found },
): boolean {
  let problem: string | null = null
  if (!run.isParsed) {
    try {
      problem = objectProblem(value, found.count)
    } catch {
      problem = 'an object that cannot be inspected (a trap of its Proxy threw)'
    }
  }
  if (
    problem === null &&
    node.isWellFormedOnly &&
    found.others?.every(([key]) => isWellFormed(key)) === false
  ) {
    problem = 'an object with a lone surrogate in a property name'
  }
  if (problem !== null) addProblem(run, node, { code: 'not plain', found: new Words(problem) })
  return problem === null
}

/** Reports the required names that are missing, and takes them out of what is left to visit. */
function reportMissing(run: Run, node: CompiledNode, { declared }: Found): void {
  for (let index = 0; index < node.names.length; index += 1) {
    if (node.required[index] !== true) continue
    if (declared[index] !== absent && declared[index] !== undefined) continue
    declared[index] = absent
    run.key = node.names[index]
    addProblem(run, node.children[index] ?? anyNode, { code: 'missing', found: undefined })
  }
}

/** Judges a scalar at once; lets it wait with the rest when it is, or comes after, a container. */
function visitOrWait(run: Run, child: CompiledNode, item: unknown): boolean {
  if (run.pendingEnd > run.pendingStart || mustWait(child, item)) {
    run.pendingKeys[run.pendingEnd] = run.key as string
    postpone(run, child, item)
    return true
  }
  if (scalarFits(child, item)) return true
  refuse(run, child, item)
  return false
}
