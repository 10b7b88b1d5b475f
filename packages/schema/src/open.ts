/*
 * Opens a container for the careful walk: judges the container itself, and lists what is to be walked in it.
 *
 * Invariants:
 * 1. Missing names are reported first; then come the declared properties in schema order, then the others in value order.
 * 2. Every property is read once, here. Items of an array are read when the walk comes to them.
 * 3. What throws on the way leaves the place of the run as it was.
 */
import { type CompiledNode, findProperty, type Property } from './node.js'
import { childPath, type Path } from './path.js'
import { arrayLength, arrayProblem, hasOwn, isWellFormed, objectProblem } from './plain.js'
import { Words } from './problem.js'
import { unreadable } from './received.js'
import { countContainer, report, type Run } from './run.js'

/** A container whose contents are being walked. */
export interface Opened {
  readonly node: CompiledNode
  readonly value: object
  readonly at: Path | null
  /** The properties of an object, in walk order; `null` for an array. */
  readonly entries: readonly Entry[] | null
  readonly length: number
  next: number
  ok: boolean
}

interface Entry {
  readonly key: string
  readonly item: unknown
  readonly node: CompiledNode
  /** The place in the schema; after all of it for what is not declared. */
  readonly rank: number
}

export function openArray(run: Run, node: CompiledNode, value: readonly unknown[]): Opened {
  const length = arrayLength(value)
  const problem =
    length === -1 ? 'an array without a valid length' : inspect(run, () => arrayProblem(value, length))
  const at = judge(run, node, { problem, size: Math.max(length, 0) })
  return { node, value, at, entries: null, length, next: 0, ok: problem === null }
}

export function openObject(run: Run, node: CompiledNode, value: object): Opened {
  const { entries, count, requiredCount } = readProperties(node, value as Record<string, unknown>)
  const problem = inspect(run, () => objectProblem(value, count)) ?? nameProblem(node, entries)
  const at = judge(run, node, { problem, size: count })
  run.at = at
  run.owner = node
  const isComplete = requiredCount === node.requiredCount
  if (!isComplete) reportMissing(run, node, entries)
  const ok = isComplete && problem === null
  return { node, value, at, entries, length: entries.length, next: 0, ok }
}

/** Counts a container and reports what is wrong with itself. Returns its path. */
function judge(
  run: Run,
  node: CompiledNode,
  { problem, size }: { problem: string | null; size: number },
): Path | null {
  countContainer(run, node, size)
  if (problem !== null) report(run, node, { code: 'not plain', found: new Words(problem) })
  return run.isQuiet ? null : childPath(run.at, run.key)
}

function inspect({ isParsed }: Run, problemOf: () => string | null): string | null {
  if (isParsed) return null
  try {
    return problemOf()
  } catch {
    return 'a value that cannot be inspected (a trap of its Proxy threw)'
  }
}

function readProperties(node: CompiledNode, value: Record<string, unknown>) {
  const { properties, rest } = node
  const entries: Entry[] = []
  let isSorted = true
  let guess = 0
  let count = 0
  let requiredCount = 0
  for (const key in value) {
    if (!hasOwn(value, key)) continue
    count += 1
    let item: unknown
    try {
      item = value[key]
    } catch {
      item = unreadable
    }
    let property: Property | undefined = properties[guess]
    if (property?.name !== key) property = findProperty(node, key)
    const rank = property === undefined ? properties.length : property.index
    if (property?.isRequired === true) {
      // Present as `undefined` is missing.
      if (item === undefined) continue
      requiredCount += 1
    }
    if (rank < guess - 1) isSorted = false
    guess = Math.max(guess, rank + 1)
    entries.push({ key, item, node: property === undefined ? rest : property.node, rank })
  }
  if (!isSorted) entries.sort((left, right) => left.rank - right.rank)
  return { entries, count, requiredCount }
}

function nameProblem(
  { isWellFormedOnly, properties }: CompiledNode,
  entries: readonly Entry[],
): string | null {
  const isMalformed = ({ key, rank }: Entry) => rank === properties.length && !isWellFormed(key)
  return isWellFormedOnly && entries.some(isMalformed)
    ? 'an object with a lone surrogate in a property name'
    : null
}

function reportMissing(run: Run, node: CompiledNode, entries: readonly Entry[]): void {
  const present = new Set(entries.map(({ key }) => key))
  for (const { name, isRequired, node: child } of node.properties) {
    if (!isRequired || present.has(name)) continue
    run.key = name
    report(run, child, { code: 'missing', found: undefined })
  }
}
