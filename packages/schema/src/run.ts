/*
 * The state of one careful walk, and what keeps the walk of a graph, in place of a tree, finite and linear.
 *
 * Invariants:
 * 1. Once a walk has opened `memoBudget` containers or tried as many branches, no object is walked twice under one node: a tower of shared objects
 *    costs its number of objects, not its number of paths. Its violations are then listed at the first path only.
 * 2. A verdict is remembered without its problems by a trial, and with them by a walk that reports. The latter trusts a
 *    failure only when its problems are already in the list.
 */
import { type CompiledNode } from './node.js'
import { type Path } from './path.js'
import { type Problem, type ProblemCode, Words } from './problem.js'
import { describeReceived } from './received.js'

/** What is known of an object under one node. */
interface MemoEntry {
  readonly node: CompiledNode
  readonly ok: boolean
  readonly isReported: boolean
  readonly earlier: MemoEntry | undefined
}

/** The state of one walk over one value. */
export interface Run {
  readonly isParsed: boolean
  readonly maxNodes: number
  readonly problems: Problem[]
  /** A branch is tried, or only the verdict is asked for: nothing is reported, and the first problem decides. */
  isQuiet: boolean
  nodes: number
  /** Containers that were opened and branches that were tried. */
  visits: number
  isExhausted: boolean
  /** Branches were tried, so that one value may be walked more than once even when it came from text. */
  hasTried: boolean
  /** Where the value that is entered next sits: in `owner`, at `key`. */
  at: Path | null
  key: string | number | undefined
  owner: CompiledNode | null
  /** The open containers that hold the value, but for those that hold scalars only. */
  ancestors: Set<object> | null
  /** Whether a quick look was taken at what is deep down. */
  hasLooked: boolean
  memo: Map<unknown, MemoEntry> | null
}

const memoBudget = 1000

/** Refuses the value that is being entered. */
export function refuse(run: Run, node: CompiledNode, value: unknown): false {
  return report(run, node, { code: 'mismatch', found: run.isQuiet ? null : keepable(value) })
}

export function report(
  run: Run,
  node: CompiledNode,
  { code, found }: { code: ProblemCode; found: unknown },
): false {
  if (!run.isQuiet) run.problems.push({ at: run.at, key: run.key, code, node, found, owner: run.owner })
  return false
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

/** Counts a container or a trial. Starts the memo when there have been many. */
export function countVisit(run: Run): void {
  run.visits += 1
  if (run.visits > memoBudget && (!run.isParsed || run.hasTried)) run.memo ??= new Map()
}

/** Counts a container and what it holds. Ends the walk when there has been too much. */
export function countContainer(run: Run, node: CompiledNode, size: number): void {
  countVisit(run)
  run.nodes += size + 1
  if (run.nodes <= run.maxNodes || run.isExhausted) return
  run.isExhausted = true
  // Also when nothing is reported: the walk ends here, and its caller must learn why.
  run.problems.push({ at: null, key: undefined, code: 'too large', node, found: run.maxNodes, owner: null })
}

/** What an earlier visit of `value` under `node` found, if that can be trusted here. */
export function recall(run: Run, node: CompiledNode, value: unknown): boolean | undefined {
  for (let entry = run.memo?.get(value); entry !== undefined; entry = entry.earlier) {
    if (entry.node === node && (entry.ok || entry.isReported || run.isQuiet)) return entry.ok
  }
  return undefined
}

/** Remembers the verdict on a value for the next place where it is used, and returns it. */
export function remember(
  run: Run,
  node: CompiledNode,
  { value, ok }: { value: unknown; ok: boolean },
): boolean {
  // A scalar is reported wherever it stands; only a trial may take over what another one found.
  if (run.memo !== null && ((typeof value === 'object' && value !== null) || run.isQuiet)) {
    run.memo.set(value, { node, ok, isReported: !run.isQuiet, earlier: run.memo.get(value) })
  }
  return ok
}
