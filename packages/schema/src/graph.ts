/*
 * Keeps the walk of a graph, in place of a tree, finite and linear.
 *
 * Invariants:
 * 1. A cycle is found at the edge that closes it, at any depth.
 * 2. Once a walk has opened `memoBudget` containers, no object is walked twice under one node: a tower of shared objects
 *    costs its number of objects, not its number of paths. Its violations are then listed at the first path only.
 * 3. A verdict is remembered without its problems by a trial, and with them by a collecting walk. A collecting walk
 *    trusts a failure only when its problems are already in the list.
 */
import { type CompiledNode } from './node.js'
import { addProblem, failed, type Frame, passed, pushFrame, type Run, type Verdict } from './run.js'

/** Ancestors are compared one by one down to this depth, and looked up in a set below it. */
const scannedDepth = 32

const memoBudget = 1000

/**
 * The verdict on a container that need not be walked again: it closes a cycle, or it was seen before. `undefined` for
 * one that must be walked.
 */
export function verdictWithoutWalk(run: Run, node: CompiledNode, value: object): Verdict | undefined {
  if (run.depth > 0 && !run.isParsed && isAncestor(run, value)) {
    if (run.isCollecting) addProblem(run, node, { code: 'circular', found: undefined })
    return failed
  }
  return run.memo === null ? undefined : recall(run, node, value)
}

function isAncestor(run: Run, value: object): boolean {
  for (let index = Math.min(run.depth, scannedDepth) - 1; index >= 0; index -= 1) {
    if (run.stack[index]?.value === value) return true
  }
  return run.deepAncestors?.has(value) === true
}

/** What an earlier visit of `value` under `node` found, if that can be trusted here. */
export function recall(run: Run, node: CompiledNode, value: object): Verdict | undefined {
  for (let entry = run.memo?.get(value); entry !== undefined; entry = entry.earlier) {
    if (entry.node === node && (entry.ok || entry.isReported || !run.isCollecting)) {
      return entry.ok ? passed : failed
    }
  }
  return undefined
}

/** Counts a container and what it holds. Starts the memo when there have been many; gives up when there are too many. */
export function countContainer(run: Run, node: CompiledNode, size: number): boolean {
  run.containers += 1
  run.nodes += size + 1
  if (run.containers > memoBudget && (!run.isParsed || run.hasChoice)) run.memo ??= new Map()
  if (run.nodes <= run.maxNodes) return true
  run.isExhausted = true
  // Also in a trial, which has no paths: the walk ends here, and its caller must learn why.
  run.problems.push({ at: null, key: undefined, code: 'too large', node, found: run.maxNodes, owner: null })
  return false
}

/** Remembers the verdict on a container, for the next place where it is used. */
export function remember(run: Run, node: CompiledNode, { value, ok, isReported }: Remembered): void {
  run.memo?.set(value, { node, ok, isReported, earlier: run.memo.get(value) })
}

interface Remembered {
  readonly value: object
  readonly ok: boolean
  readonly isReported: boolean
}

/** Opens a frame for what a container holds. */
export function openContainer(run: Run, node: CompiledNode, value: object): Frame {
  const frame = pushFrame(run, node)
  frame.value = value
  if (run.depth > scannedDepth) (run.deepAncestors ??= new Set()).add(value)
  return frame
}

/** Closes the innermost frame with the verdict `ok` and remembers it. */
export function popFrame(run: Run, ok: boolean): Verdict {
  run.depth -= 1
  const verdict = ok ? passed : failed
  const frame = run.stack[run.depth]
  if (frame === undefined) return verdict
  run.pendingEnd = frame.pendingStart
  if (run.deepAncestors !== null && frame.value !== null) run.deepAncestors.delete(frame.value)
  const value = frame.value ?? frame.subject
  if (run.memo !== null && typeof value === 'object' && value !== null) {
    remember(run, frame.node, { value, ok, isReported: frame.isCollecting })
  }
  return verdict
}
