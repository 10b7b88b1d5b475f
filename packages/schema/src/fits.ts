/*
 * The quick half of a check: plain recursion, a bounded number of levels at a time.
 *
 * Invariants:
 * 1. `passed` and `failed` are final: they are what the careful walk of `walk.ts` would find. Nothing is reported.
 * 2. What is found below the bound waits in a list until the rest has passed, since all of it has to pass; where a branch
 *    is tried, whose verdict cannot wait, it is `unsure`.
 * 3. After many containers they are remembered, and to meet one again is `unsure`: a cycle, a tower of shared objects, or a
 *    large value under branches that are tried. So is whatever throws, and a tree that is too large.
 * 4. Every property and item is read once; a `oneOf` that no tag and no type decides reads once more for each branch.
 * 5. A getter may start another check, which finds this one active and is `unsure`.
 */
import { type CheckOptions, defaultMaxNodes } from './limits.js'
import { arrayBit, type CompiledNode, findProperty, objectBit, typeBitOf } from './node.js'
import { decideBranch } from './one-of.js'
import { arrayLength, arrayProblem, hasOwn, isWellFormed, objectProblem } from './plain.js'
import { scalarFits } from './scalar.js'

export const failed = 0
export const passed = 1
export const unsure = 2
type Fit = typeof failed | typeof passed | typeof unsure

const deepest = 64
/** How many containers are opened before they are remembered; so many may be met twice at little cost. */
const unremembered = 2000

let isActive = false
let isParsed = false
/** Branches are being tried around the value. */
let isTrial = false
let nodesLeft = 0
let containers = 0
let remembered: Set<object> | null = null
/** Nodes and values in turn. */
let waiting: unknown[] | null = null

/** Whether `value` fits `node`, as far as a quick look can tell. Allocates nothing for a value of ordinary size. */
export function fits(
  node: CompiledNode,
  value: unknown,
  { parsed = false, maxNodes = defaultMaxNodes }: CheckOptions,
): Fit {
  if (isActive) return unsure
  isActive = true
  isParsed = parsed
  isTrial = false
  nodesLeft = maxNodes
  containers = 0
  try {
    const fit = fitsNode(node, value, deepest)
    return fit === passed && waiting !== null ? fitWaiting(waiting) : fit
  } catch {
    return unsure
  } finally {
    isActive = false
    remembered = null
    waiting = null
  }
}

/** How many more values the last {@link fits} would have taken. */
export function valuesLeft(): number {
  return nodesLeft
}

function fitWaiting(list: unknown[]): Fit {
  for (;;) {
    const value = list.pop()
    const node = list.pop() as CompiledNode | undefined
    if (node === undefined) return passed
    const fit = fitsNode(node, value, deepest)
    if (fit !== passed) return fit
  }
}

/** Leaves what is below the bound for later. */
function wait(node: CompiledNode, value: unknown): Fit {
  if (isTrial) return unsure
  waiting ??= []
  waiting.push(node, value)
  return passed
}

/** Counts a container that holds `size` values. Whether the quick look may go on. */
function count(value: object, size: number): boolean {
  nodesLeft -= size + 1
  containers += 1
  if (nodesLeft < 0) return false
  // What came from text is a tree: nothing in it is met again but by the next branch that is tried.
  if (containers <= unremembered || (isParsed && !isTrial)) return true
  remembered ??= new Set()
  const { size: before } = remembered
  return remembered.add(value).size > before
}

function fitsNode(start: CompiledNode, value: unknown, levels: number): Fit {
  let node = start
  if (node.kind === 'oneOf') {
    const decided = decideBranch(node, value)
    if (decided === null) return failed
    if (levels === 0) return wait(node, value)
    if (decided === undefined) return fitsOneBranch(node, value, levels - 1)
    if (decided.kind === 'oneOf') return fitsNode(decided, value, levels - 1)
    node = decided
  }
  if (typeof value !== 'object' || value === null) return scalarFits(node, value) ? passed : failed
  if (levels === 0) return wait(node, value)
  if (!Array.isArray(value)) {
    if ((node.types & objectBit) === 0) return failed
    return node.properties.length === 0
      ? fitsMap(node, value, levels - 1)
      : fitsObject(node, value, levels - 1)
  }
  return (node.types & arrayBit) === 0 ? failed : fitsArray(node, value, levels - 1)
}

function fitsObject(node: CompiledNode, value: object, levels: number): Fit {
  if (!count(value, 0)) return unsure
  const { properties } = node
  let guess = 0
  let size = 0
  let requiredCount = 0
  for (const key in value) {
    if (!hasOwn(value, key)) continue
    size += 1
    const item = (value as Record<string, unknown>)[key]
    let property = properties[guess]
    if (property?.name !== key) property = findProperty(node, key)
    let child = node.rest
    if (property === undefined) {
      if (node.isWellFormedOnly && !isWellFormed(key)) return failed
    } else {
      guess = property.index + 1
      child = property.node
      // Present as `undefined` is missing, and is refused below because `undefined` fits no node.
      if (property.isRequired) requiredCount += 1
    }
    if (child.isScalar || (typeof item !== 'object' && child.kind !== 'oneOf')) {
      if (!scalarFits(child, item)) return failed
    } else {
      const fit = fitsNode(child, item, levels)
      if (fit !== passed) return fit
    }
  }
  return requiredCount === node.requiredCount ? settle(value, size) : failed
}

/** An object without declared properties. Kept apart because maps of all sizes come here, which engines read more slowly. */
function fitsMap(node: CompiledNode, value: object, levels: number): Fit {
  if (!count(value, 0)) return unsure
  const { rest, isWellFormedOnly } = node
  let size = 0
  for (const key in value) {
    if (!hasOwn(value, key)) continue
    size += 1
    if (isWellFormedOnly && !isWellFormed(key)) return failed
    const fit = fitsNode(rest, (value as Record<string, unknown>)[key], levels)
    if (fit !== passed) return fit
  }
  return settle(value, size)
}

/** What is left to judge of an object that holds nothing wrong. */
function settle(value: object, size: number): Fit {
  nodesLeft -= size
  if (nodesLeft < 0) return unsure
  return isParsed || objectProblem(value, size) === null ? passed : failed
}

function fitsArray(node: CompiledNode, value: readonly unknown[], levels: number): Fit {
  const length = arrayLength(value)
  if (length < 0 || !count(value, length)) return unsure
  if (!isParsed && arrayProblem(value, length) !== null) return failed
  const { items } = node
  for (let index = 0; index < length; index += 1) {
    const item = value[index]
    if (items.isScalar) {
      if (!scalarFits(items, item)) return failed
    } else {
      const fit = fitsNode(items, item, levels)
      if (fit !== passed) return fit
    }
  }
  return passed
}

/** Tries the branches; whatever is met in one is met again in the next. */
function fitsOneBranch(node: CompiledNode, value: unknown, levels: number): Fit {
  const bit = typeBitOf(value)
  const wasTrial = isTrial
  isTrial = true
  let matches = 0
  for (const branch of node.branches) {
    if ((branch.types & bit) === 0) continue
    containers += 1
    if (wasTrial && containers > unremembered) return unsure
    const fit = fitsNode(branch, value, levels)
    if (fit === unsure) return unsure
    matches += fit
  }
  isTrial = wasTrial
  return matches === 1 ? passed : failed
}
