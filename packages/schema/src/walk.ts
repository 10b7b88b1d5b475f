/*
 * Walks a value along a compiled schema.
 *
 * Invariants:
 * 1. No recursion: a container that holds containers, and a choice that tries branches, is a generator on an explicit
 *    stack, so that depth costs memory and never the call stack. Whatever holds only scalars is judged without one.
 * 2. A walk that reports nothing stops at the first problem, at the nearest choice that tries a branch.
 * 3. An exception can only come from the value that is being entered. It counts as a violation there, and the walk goes on.
 * 4. A cycle is found at the edge that closes it, at any depth.
 * 5. Exactly one branch of a `oneOf` must accept the value. Branches are tried quietly; when none accepts, the one that
 *    matches best is walked again to say why.
 */
import { fits, passed, unsure, valuesLeft } from './fits.js'
import { type CheckOptions, defaultMaxNodes } from './limits.js'
import { arrayBit, type CompiledNode, objectBit, typeBitOf } from './node.js'
import { bestBranch, candidatesFor, decideBranch, tagOf } from './one-of.js'
import { openArray, type Opened, openObject } from './open.js'
import { type Problem, Words } from './problem.js'
import { unreadable } from './received.js'
import { countVisit, keepable, recall, refuse, remember, report, type Run } from './run.js'
import { scalarFits } from './scalar.js'

/** A walk that was begun: it hands out the walks of what it holds and takes their verdicts back. */
type Walk = Generator<Walk, boolean, boolean>

const deepAncestors = 64

/** Whether `value` fits `node`. Allocates nothing for a value of ordinary depth and size. */
export function check(node: CompiledNode, value: unknown, options: CheckOptions): boolean {
  const fit = fits(node, value, options)
  return fit === unsure ? walk(newRun(options, true), node, value) : fit === passed
}

/** Everything that keeps `value` from fitting `node`, in walk order. */
export function collect(node: CompiledNode, value: unknown, options: CheckOptions): Problem[] {
  const run = newRun(options, false)
  walk(run, node, value)
  return run.problems
}

function newRun({ parsed = false, maxNodes = defaultMaxNodes }: CheckOptions, isQuiet: boolean): Run {
  return {
    isParsed: parsed,
    maxNodes,
    problems: [],
    isQuiet,
    nodes: 0,
    visits: 0,
    isExhausted: false,
    hasTried: false,
    at: null,
    key: undefined,
    owner: null,
    ancestors: null,
    hasLooked: false,
    memo: null,
  }
}

function walk(run: Run, node: CompiledNode, value: unknown): boolean {
  const first = enter(run, node, value)
  if (typeof first === 'boolean') return first && !run.isExhausted
  const stack = [first]
  let verdict = true
  for (let top = stack.at(-1); top !== undefined && !run.isExhausted; top = stack.at(-1)) {
    const step = top.next(verdict)
    if (step.done === true) {
      verdict = step.value
      stack.pop()
    } else stack.push(step.value)
  }
  return verdict && !run.isExhausted
}

/** The verdict on a value, or the walk that will find it. */
function enter(run: Run, node: CompiledNode, value: unknown): boolean | Walk {
  const { at, key, owner } = run
  try {
    return enterNode(run, node, value)
  } catch {
    run.at = at
    run.key = key
    run.owner = owner
    return refuse(run, node, unreadable)
  }
}

function enterNode(run: Run, start: CompiledNode, value: unknown): boolean | Walk {
  let node = start
  while (node.kind === 'oneOf') {
    const branch = decideBranch(node, value)
    if (branch === undefined) return recall(run, node, value) ?? choose(run, node, value)
    if (branch === null) return refuseChoice(run, node, value)
    node = branch
  }
  if (typeof value !== 'object' || value === null) return scalarFits(node, value) || refuse(run, node, value)
  const isArray = Array.isArray(value)
  if ((node.types & (isArray ? arrayBit : objectBit)) === 0) return refuse(run, node, value)
  if (run.ancestors?.has(value) === true) return report(run, node, { code: 'circular', found: undefined })
  const known = recall(run, node, value) ?? lookDeep(run, node, value)
  return known ?? walkContents(run, isArray ? openArray(run, node, value) : openObject(run, node, value))
}

/** Takes the quick look at what is deep down, once: for a tower of containers it costs a tenth of a walk. */
function lookDeep(run: Run, node: CompiledNode, value: object): boolean | undefined {
  if (run.hasLooked || run.ancestors === null || run.ancestors.size < deepAncestors) return undefined
  run.hasLooked = true
  const maxNodes = run.maxNodes - run.nodes
  const fit = fits(node, value, { parsed: run.isParsed, maxNodes })
  if (fit === passed) run.nodes += maxNodes - valuesLeft()
  return fit === passed ? true : undefined
}

function refuseChoice(run: Run, node: CompiledNode, value: unknown): false {
  if ((node.types & typeBitOf(value)) === 0) return refuse(run, node, value)
  return report(run, node, { code: 'bad tag', found: run.isQuiet ? null : keepable(tagOf(node, value)) })
}

/** Walks the contents up to the first container or choice; from there on, a generator does. */
function walkContents(run: Run, opened: Opened): boolean | Walk {
  while (goesOn(run, opened)) {
    const node = nodeOfNext(opened)
    const item = takeNext(run, opened)
    if ((typeof item === 'object' && item !== null) || node.kind === 'oneOf') {
      return walkRest(run, opened, { node, item })
    }
    if (!scalarFits(node, item)) opened.ok = refuse(run, node, item)
  }
  return remember(run, opened.node, opened)
}

interface Placed {
  readonly node: CompiledNode
  readonly item: unknown
}

function* walkRest(run: Run, opened: Opened, first: Placed): Walk {
  run.ancestors ??= new Set()
  run.ancestors.add(opened.value)
  let { node, item } = first
  for (;;) {
    const step = enter(run, node, item)
    if (!(typeof step === 'boolean' ? step : yield step)) opened.ok = false
    if (!goesOn(run, opened)) break
    node = nodeOfNext(opened)
    item = takeNext(run, opened)
  }
  run.ancestors.delete(opened.value)
  return remember(run, opened.node, opened)
}

function goesOn(run: Run, { next, length, ok }: Opened): boolean {
  return next < length && (ok || !run.isQuiet) && !run.isExhausted
}

function nodeOfNext({ node, entries, next }: Opened): CompiledNode {
  return entries === null ? node.items : (entries[next]?.node ?? node.rest)
}

function takeNext(run: Run, opened: Opened): unknown {
  const { next, entries } = opened
  opened.next += 1
  run.at = opened.at
  run.owner = opened.node
  if (entries !== null) {
    run.key = entries[next]?.key
    return entries[next]?.item
  }
  run.key = next
  try {
    return (opened.value as readonly unknown[])[next]
  } catch {
    return unreadable
  }
}

/** Tries the branches of a choice that neither the type nor a tag of the value decides. */
function choose(run: Run, node: CompiledNode, value: unknown): Walk {
  return tryBranches(run, node, { value, candidates: candidatesFor(node, value) })
}

function* tryBranches(run: Run, node: CompiledNode, { value, candidates }: Trial): Walk {
  const { at, key, owner, isQuiet } = run
  const enterHere = (branch: CompiledNode) => {
    run.at = at
    run.key = key
    run.owner = owner
    return enter(run, branch, value)
  }
  run.hasTried = true
  run.isQuiet = true
  let matches = 0
  for (const branch of candidates) {
    countVisit(run)
    const step = enterHere(branch)
    if (typeof step === 'boolean' ? step : yield step) matches += 1
    if (matches > 1 && isQuiet) break
  }
  run.isQuiet = isQuiet
  if (matches === 0 && !isQuiet) {
    const best = bestBranch(candidates, value)
    const step = best !== undefined && enterHere(best)
    if (typeof step === 'boolean' ? step : yield step) {
      report(run, node, { code: 'mismatch', found: new Words('a value that changes while it is read') })
    }
  }
  run.at = at
  run.key = key
  run.owner = owner
  if (matches > 1) report(run, node, { code: 'many branches', found: matches })
  return remember(run, node, { value, ok: matches === 1 })
}

interface Trial {
  readonly value: unknown
  readonly candidates: readonly CompiledNode[]
}
