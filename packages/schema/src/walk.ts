/*
 * Walks a value along a compiled schema.
 *
 * Invariants:
 * 1. No recursion: open containers and choices are frames of an explicit stack, so depth costs memory and never the
 *    call stack. An object of scalars and an array of scalars are judged without a frame.
 * 2. Every property and item is read once by a check and once by a collecting walk; a `oneOf` that no tag and no type
 *    decides reads once more for each branch it has to try.
 * 3. A walk that does not collect stops at the first problem, at the nearest choice that tries a branch.
 * 4. An exception can only come from the value that is being entered. It counts as a violation there, and the walk goes on.
 */
import { popFrame } from './graph.js'
import { type CompiledNode, typeBits } from './node.js'
import { bestBranch, enterOneOf, nextBranch } from './one-of.js'
import { type Problem, Words } from './problem.js'
import { unreadable } from './received.js'
import {
  addProblem,
  failed,
  type Frame,
  newRun,
  passed,
  refuse,
  resetRun,
  type Run,
  suspended,
  type Verdict,
} from './run.js'
import { scalarFits } from './scalar.js'
import { enterArray } from './walk-array.js'
import { enterObject } from './walk-object.js'

/** How one value is walked. */
export interface WalkOptions {
  readonly isParsed: boolean
  readonly maxNodes: number
}

/** The run of the last walk, ready for the next one; `undefined` while a walk is on, for a getter may start another. */
let idleRun: Run | undefined

/** Whether `value` fits `node`. Allocates nothing for a value of ordinary depth that fits. */
export function check(node: CompiledNode, value: unknown, options: WalkOptions): boolean {
  const run = takeRun(options)
  const ok = drive(run, node, value)
  giveBack(run)
  return ok
}

/** Everything that keeps `value` from fitting `node`, in walk order. */
export function collect(node: CompiledNode, value: unknown, options: WalkOptions): Problem[] {
  const run = takeRun(options)
  run.isCollecting = true
  drive(run, node, value)
  // The caller owns the list from here on; the next walk gets another.
  const { problems } = run
  giveBack(run)
  return problems
}

function takeRun({ isParsed, maxNodes }: WalkOptions): Run {
  const run = idleRun ?? newRun()
  idleRun = undefined
  run.isParsed = isParsed
  run.maxNodes = maxNodes
  return run
}

function giveBack(run: Run): void {
  resetRun(run)
  idleRun = run
}

function drive(run: Run, node: CompiledNode, value: unknown): boolean {
  let verdict = enterSafely(run, node, value)
  while (run.depth > 0 && !run.isExhausted) {
    const frame = run.stack[run.depth - 1]
    if (frame === undefined) break
    verdict = frame.value === null ? stepChoice(run, frame, verdict) : stepContainer(run, frame, verdict)
  }
  return verdict === passed && !run.isExhausted
}

/** Takes in the verdict on the last item and goes on until one is suspended or the container is done. */
function stepContainer(run: Run, frame: Frame, last: Verdict): Verdict {
  run.isCollecting = frame.isCollecting
  let verdict = last
  for (;;) {
    if (verdict === failed) {
      frame.ok = false
      if (!frame.isCollecting) break
    }
    if (frame.next === frame.end) break
    verdict = enterNext(run, frame)
    if (verdict === suspended || run.isExhausted) return verdict
  }
  return popFrame(run, frame.ok)
}

function enterNext(run: Run, frame: Frame): Verdict {
  const index = frame.next
  frame.next += 1
  run.at = frame.at
  run.owner = frame.node
  if (!Array.isArray(frame.value)) {
    run.key = run.pendingKeys[index]
    return enterSafely(run, run.pendingNodes[index] ?? frame.node, run.pendingValues[index])
  }
  run.key = index
  let item: unknown
  try {
    item = frame.value[index]
  } catch {
    item = unreadable
  }
  return enterSafely(run, frame.node.items, item)
}

/** Takes in the verdict on the last branch; then tries the next one, or decides. */
function stepChoice(run: Run, frame: Frame, last: Verdict): Verdict {
  const { node, subject } = frame
  run.at = frame.at
  run.key = frame.key
  run.owner = frame.owner
  const isReporting = !frame.ok
  if (!isReporting) {
    if (last === passed) frame.matches += 1
    run.isCollecting = false
    const branch = nextBranch(frame)
    if (branch !== undefined) return enterSafely(run, branch, subject)
  }
  run.isCollecting = frame.isCollecting
  if (frame.matches === 1) return popFrame(run, true)
  if (!frame.isCollecting) return popFrame(run, false)
  if (frame.matches > 1) {
    addProblem(run, node, { code: 'many branches', found: frame.matches })
  } else if (!isReporting) {
    frame.ok = false
    return enterSafely(run, bestBranch(frame), subject)
  } else if (last === passed) {
    addProblem(run, node, { code: 'mismatch', found: new Words('a value that changes while it is read') })
  }
  return popFrame(run, false)
}

function enterSafely(run: Run, node: CompiledNode, value: unknown): Verdict {
  const { at, key, owner } = run
  try {
    return enter(run, node, value)
  } catch {
    run.at = at
    run.key = key
    run.owner = owner
    return refuse(run, node, unreadable)
  }
}

function enter(run: Run, start: CompiledNode, value: unknown): Verdict {
  let node = start
  while (node.kind === 'oneOf') {
    const next = enterOneOf(run, node, value)
    if (typeof next === 'number') return next
    node = next
  }
  if (typeof value !== 'object' || value === null) {
    return scalarFits(node, value) ? passed : refuse(run, node, value)
  }
  if (Array.isArray(value)) {
    return (node.types & typeBits.array) === 0 ? refuse(run, node, value) : enterArray(run, node, value)
  }
  return (node.types & typeBits.object) === 0 ? refuse(run, node, value) : enterObject(run, node, value)
}
