import { HarnessError } from './errors.js'
import { type JsonValue } from './json.js'
import { defaultMaxNodes } from './limits.js'
import { losslessNode } from './node.js'
import { printPath } from './path.js'
import { arrayLength, arrayProblem, objectProblem } from './plain.js'
import { isLosslessScalar } from './scalar.js'
import { pathOf } from './violation.js'
import { check, collect } from './walk.js'
import { wordsFor } from './words.js'

/*
 * Copies a value into detached, deeply frozen JSON.
 *
 * Invariants:
 * 1. Each key list and each property is read exactly once, so what was checked is what is returned.
 * 2. No recursion beyond the first few containers, and nothing is kept for a level that was read: a container is filled and frozen when its turn comes,
 *    and what it holds waits in a list.
 * 3. Time is linear in distinct objects: a shared object is copied once and stays shared in the copy.
 * 4. A cycle takes an object that was met twice; only then is it looked for, and in the copy. What is wrong with a value
 *    that cannot be copied is the careful walk's to say.
 */

/** Bounds of {@link snapshotJson}. */
export interface SnapshotOptions {
  /** How many values a tree may hold before it is refused. Default 10 000 000. */
  readonly maxNodes?: number
  /**
   * Remember the copy, so that to snapshot it again costs nothing. Default `true`. `false` saves about a microsecond, and
   * memory for as long as the copy lives, where copies are many and final, as the entries of a log are.
   */
  readonly remember?: boolean
}

type Container = Record<string | number, unknown>

interface Copying {
  readonly maxNodes: number
  nodes: number
  /** The first sources and their copies, found one by one; all of them once they are too many for that. */
  readonly sources: object[]
  readonly targets: object[]
  copies: Map<object, object> | null
  /** Sources and their copies in turn, still to be filled. */
  readonly waiting: Container[]
  isShared: boolean
}

/** So many containers are copied by plain recursion: most snapshots are small. */
const mostSources = 16

/** What this module made, so that snapshotting a snapshot, alone or inside something new, costs nothing. */
const finished = new WeakSet<object>()

/**
 * A detached, deeply frozen copy of `value`.
 *
 * Throws a `HarnessError` with code `NOT_LOSSLESS_JSON`, which names the path and what was found there, when JSON could
 * not carry the value unchanged. A string with a lone surrogate passes: a stream may split a pair across two chunks. A
 * value that is already a snapshot is returned as it is.
 */
export function snapshotJson(
  value: unknown,
  { maxNodes = defaultMaxNodes, remember = true }: SnapshotOptions = {},
): JsonValue {
  const copying: Copying = {
    maxNodes,
    nodes: 0,
    sources: [],
    targets: [],
    copies: null,
    waiting: [],
    isShared: false,
  }
  let result: unknown
  try {
    result = take(copying, value)
    for (;;) {
      const copy = copying.waiting.pop()
      const source = copying.waiting.pop()
      if (copy === undefined || source === undefined) break
      fill(copying, source, copy)
    }
  } catch {
    throw notLossless(value, maxNodes)
  }
  if (copying.isShared && !check(losslessNode, result, { maxNodes })) throw notLossless(value, maxNodes)
  if (remember && typeof result === 'object' && result !== null) finished.add(result)
  return result as JsonValue
}

/** A scalar itself; of a container a copy, which is filled later unless there have been few so far. */
function take(copying: Copying, item: unknown): unknown {
  if (typeof item !== 'object' || item === null) {
    if (!isLosslessScalar(item)) throw new TypeError('not lossless')
    return item
  }
  const known = copying.copies === null ? copyAmongFirst(copying, item) : copying.copies.get(item)
  if (known !== undefined) {
    copying.isShared = true
    return known
  }
  if (finished.has(item)) return item
  if (copying.copies === null) {
    if (copying.sources.length < mostSources) return copyNow(copying, item)
    copying.copies = new Map(
      copying.sources.map((source, index) => [source, copying.targets[index] ?? source]),
    )
  }
  const copy = (Array.isArray(item) ? [] : {}) as Container
  copying.copies.set(item, copy)
  copying.waiting.push(item as Container, copy)
  return copy
}

function copyAmongFirst({ sources, targets }: Copying, item: object): object | undefined {
  for (let index = 0; index < sources.length; index += 1) if (sources[index] === item) return targets[index]
  return undefined
}

function copyNow(copying: Copying, source: object): object {
  if (Array.isArray(source)) {
    const items: readonly unknown[] = source
    const length = arrayLength(items)
    const copy: unknown[] = []
    begin(copying, { source, copy, size: length, problem: arrayProblem(items, length) })
    for (let index = 0; index < length; index += 1) copy.push(take(copying, items[index]))
    return Object.freeze(copy)
  }
  // Reads every property once; from here on only the copy is read.
  const copy: Container = { ...source }
  const keys = Object.keys(copy)
  begin(copying, { source, copy, size: keys.length, problem: objectProblem(source, keys.length) })
  for (const key of keys) {
    const item = copy[key]
    const taken = take(copying, item)
    if (taken !== item) setOwn(copy, key, taken)
  }
  return Object.freeze(copy)
}

interface Begun {
  readonly source: object
  readonly copy: object
  readonly size: number
  readonly problem: string | null
}

function begin(copying: Copying, { source, copy, size, problem }: Begun): void {
  countNodes(copying, size + 1)
  if (problem !== null) throw new TypeError('not lossless')
  copying.sources.push(source)
  copying.targets.push(copy)
}

function countNodes(copying: Copying, size: number): void {
  copying.nodes += size
  if (copying.nodes > copying.maxNodes) throw new TypeError('not lossless')
}

function fill(copying: Copying, source: Container, copy: Container): void {
  let keys: readonly string[] | null = null
  let length: number
  let problem: string | null
  if (Array.isArray(source)) {
    length = arrayLength(source)
    problem = arrayProblem(source, length)
  } else {
    keys = Object.keys(source)
    length = keys.length
    problem = objectProblem(source, length)
  }
  countNodes(copying, length + 1)
  if (problem !== null) throw new TypeError('not lossless')
  for (let index = 0; index < length; index += 1) {
    const key = keys?.[index] ?? index
    setOwn(copy, key, take(copying, source[key]))
  }
  Object.freeze(copy)
}

function notLossless(value: unknown, maxNodes: number): HarnessError {
  const [problem] = collect(losslessNode, value, { maxNodes })
  const what =
    problem === undefined
      ? 'expected lossless JSON, found a value that changes while it is read'
      : `expected ${problem.code === 'too large' ? wordsFor(problem).expected : 'lossless JSON'}, found ${wordsFor(problem).received} at "${printPath('value', pathOf(problem))}"`
  return new HarnessError('NOT_LOSSLESS_JSON', `${what}; convert it to plain JSON data first`)
}

/** Sets an own property, also where the key is `__proto__`. */
export function setOwn(target: object, key: string | number, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
  } else {
    ;(target as Record<string | number, unknown>)[key] = value
  }
}
