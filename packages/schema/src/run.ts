import { type CompiledNode } from './node.js'
import { type Path } from './path.js'
import { type Problem, type ProblemCode, Words } from './problem.js'
import { describeReceived } from './received.js'

/** An open container, or an open choice of branches. Frames are pooled: {@link pushFrame} sets every field. */
export interface Frame {
  node: CompiledNode
  /** The container, by which cycles are found; `null` in a choice, whose branches open the same value again. */
  value: object | null
  /** The value a choice is about, and its JSON type. */
  subject: unknown
  typeBit: number
  /** The path of a container; for a choice, where its value sits: in `owner`, at `key`. */
  at: Path | null
  key: string | number | undefined
  owner: CompiledNode | null
  isCollecting: boolean
  /** No problem so far; in a choice, no branch has been asked to explain. */
  ok: boolean
  /** The next item of an array, pending property of an object, or branch of a choice. */
  next: number
  end: number
  matches: number
  /** Where the pending properties of this frame start. */
  pendingStart: number
}

/** What is known of an object under one node. */
export interface MemoEntry {
  readonly node: CompiledNode
  readonly ok: boolean
  /** Its violations are in the list; a failed trial leaves none. */
  readonly isReported: boolean
  readonly earlier: MemoEntry | undefined
}

/** The state of one walk over one value. */
export interface Run {
  readonly stack: Frame[]
  /** The open frames are `stack[0 .. depth - 1]`. */
  depth: number
  /** How many frames were in use at once. */
  peak: number
  /** Collect every problem, or stop at the first one. Off while a choice tries its branches. */
  isCollecting: boolean
  isParsed: boolean
  maxNodes: number
  nodes: number
  containers: number
  isExhausted: boolean
  /** A choice was opened, so that one value may be walked more than once even when it came from text. */
  hasChoice: boolean
  /** Where the value that is entered next sits. */
  at: Path | null
  key: string | number | undefined
  /** The node of the container it sits in. */
  owner: CompiledNode | null
  problems: Problem[]
  /** Properties that wait to be walked, of all open objects; the first `pendingEnd` are in use. */
  readonly pendingKeys: string[]
  readonly pendingNodes: CompiledNode[]
  readonly pendingValues: unknown[]
  pendingEnd: number
  /** Where those of the object that is being collected start. */
  pendingStart: number
  /** Open containers below the depth that is searched one by one. */
  deepAncestors: Set<object> | null
  memo: Map<object, MemoEntry> | null
}

export const passed = 1
export const failed = 0
/** A frame was pushed: the verdict comes when it is popped. */
export const suspended = 2
export type Verdict = typeof passed | typeof failed | typeof suspended

const keptFrames = 16
const keptPending = 64

export function newRun(): Run {
  return {
    stack: [],
    depth: 0,
    peak: 0,
    isCollecting: false,
    isParsed: false,
    maxNodes: 0,
    nodes: 0,
    containers: 0,
    isExhausted: false,
    hasChoice: false,
    at: null,
    key: undefined,
    owner: null,
    problems: [],
    pendingKeys: [],
    pendingNodes: [],
    pendingValues: [],
    pendingEnd: 0,
    pendingStart: 0,
    deepAncestors: null,
    memo: null,
  }
}

/** Makes a run ready for another walk. It keeps a few frames, and lets go of the value. */
export function resetRun(run: Run): void {
  run.nodes = 0
  run.containers = 0
  // A check that opened no frame and let nothing wait has touched nothing else.
  if (run.peak > 0 || run.pendingEnd > 0 || run.isCollecting || run.isExhausted) releaseValue(run)
}

function releaseValue(run: Run): void {
  for (let index = 0; index < run.peak && index < keptFrames; index += 1) {
    const frame = run.stack[index]
    if (frame === undefined) break
    frame.value = null
    frame.subject = undefined
    frame.at = null
  }
  if (run.stack.length > keptFrames) run.stack.length = keptFrames
  if (run.pendingValues.length > keptPending) {
    run.pendingKeys.length = 0
    run.pendingNodes.length = 0
    run.pendingValues.length = 0
  } else if (run.pendingValues.length > 0) {
    run.pendingValues.fill(undefined)
  }
  run.pendingEnd = 0
  run.depth = 0
  run.peak = 0
  run.isCollecting = false
  run.isExhausted = false
  run.hasChoice = false
  run.at = null
  run.key = undefined
  run.owner = null
  run.problems = []
  run.deepAncestors = null
  run.memo = null
}

/** Opens a frame for the value that is being entered. */
export function pushFrame(run: Run, node: CompiledNode): Frame {
  const frame = run.stack[run.depth] ?? newFrame(run, node)
  run.depth += 1
  if (run.depth > run.peak) run.peak = run.depth
  frame.node = node
  frame.value = null
  frame.subject = undefined
  frame.at = run.at
  frame.key = run.key
  frame.owner = run.owner
  frame.isCollecting = run.isCollecting
  frame.ok = true
  frame.next = 0
  frame.end = 0
  frame.matches = 0
  frame.pendingStart = run.pendingEnd
  return frame
}

function newFrame(run: Run, node: CompiledNode): Frame {
  const frame: Frame = {
    node,
    value: null,
    subject: undefined,
    typeBit: 0,
    at: null,
    key: undefined,
    owner: null,
    isCollecting: false,
    ok: true,
    next: 0,
    end: 0,
    matches: 0,
    pendingStart: 0,
  }
  run.stack.push(frame)
  return frame
}

/** Lets a property wait until the object it is in has been judged itself. */
export function postpone(run: Run, child: CompiledNode, item: unknown): void {
  run.pendingNodes[run.pendingEnd] = child
  run.pendingValues[run.pendingEnd] = item
  run.pendingEnd += 1
}

/** Refuses the value that is being entered. Adds a problem only when problems are collected. */
export function refuse(run: Run, node: CompiledNode, value: unknown): Verdict {
  if (run.isCollecting) addProblem(run, node, { code: 'mismatch', found: keepable(value) })
  return failed
}

export function addProblem(
  run: Run,
  node: CompiledNode,
  { code, found }: { code: ProblemCode; found: unknown },
): void {
  run.problems.push({ at: run.at, key: run.key, code, node, found, owner: run.owner })
}

/** A scalar itself; words for anything that could change or hold memory. */
export function keepable(value: unknown): unknown {
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return value
  try {
    return new Words(describeReceived(value))
  } catch {
    return new Words('a value that cannot be read (reading it threw)')
  }
}
