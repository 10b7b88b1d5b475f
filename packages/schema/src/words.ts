/*
 * Turns a problem into words a model can act on: what was expected, what was received, and a hint where one is sure.
 */
import { closestName } from './closest-name.js'
import { type JsonScalar } from './json.js'
import {
  arrayBit,
  booleanBit,
  type CompiledNode,
  findProperty,
  type NodeKind,
  numberBit,
  objectBit,
  stringBit,
  typeBitOf,
} from './node.js'
import { shorten } from './path.js'
import { isWellFormed } from './plain.js'
import { type Problem, Words } from './problem.js'
import { describeReceived } from './received.js'
import { isLosslessScalar } from './scalar.js'

const maxListed = 12

export interface ProblemWords {
  readonly expected: string
  readonly received: string
  /** The sentence after the path. */
  readonly claim: string
  /** What follows it in parentheses. */
  readonly details: readonly string[]
}

const nouns: Readonly<Record<NodeKind, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  null: 'null',
  array: 'an array',
  object: 'an object',
  any: 'a JSON value',
  oneOf: 'one of several forms',
  never: 'nothing',
}

export function wordsFor(problem: Problem): ProblemWords {
  const { code, node, found } = problem
  const received = found instanceof Words ? found.text : describeReceived(found)
  switch (code) {
    case 'missing': {
      const expected = expectedOf(node)
      return {
        expected,
        received: 'nothing',
        claim: 'is required but missing',
        details: [`expected ${expected}`],
      }
    }
    case 'bad tag': {
      const expected = listValues(node.tag?.branchOf.keys() ?? [])
      const words = { expected, received: found === undefined ? 'nothing' : received }
      return found === undefined
        ? { ...words, claim: 'is required but missing', details: [`expected ${expected}`] }
        : { ...words, claim: `must be ${expected}`, details: [`received ${received}`] }
    }
    case 'many branches': {
      const expected = `exactly one of ${node.branches.length} forms`
      const matches = `${received.replace('number ', '')} of them`
      return {
        expected,
        received: matches,
        claim: `must match ${expected}, but matches ${matches}`,
        details: [],
      }
    }
    case 'circular':
      return { expected: 'a tree', received: 'a circular reference', claim: 'is circular', details: [] }
    case 'too large': {
      const expected = `at most ${String(found)} values in all`
      return { expected, received: 'more', claim: `must hold ${expected}`, details: [] }
    }
    case 'not JSON': {
      const expected = 'JSON'
      return {
        expected,
        received: String(found),
        claim: `must be ${expected} text`,
        details: [String(found)],
      }
    }
    case 'rounded': {
      const expected = 'an integer of at most 2^53 - 1'
      const digits = shorten(String(found), 40)
      const details = [`received ${digits}, which would be rounded`]
      return { expected, received: digits, claim: `must be ${expected}`, details }
    }
    case 'not plain': {
      const expected = 'plain JSON'
      return { expected, received, claim: `must be ${expected}`, details: [`received ${received}`] }
    }
    case 'mismatch':
      return node.kind === 'never' ? undeclared(problem, received) : mismatch(problem, received)
  }
}

/** What models wrap the arguments in. */
const wrappers = ['arguments', 'args', 'parameters', 'params', 'input']

function undeclared({ at, node, key }: Problem, received: string): ProblemWords {
  const names = node.properties.map(({ name }) => name)
  if (at === null && wrappers.includes(String(key)) && received === 'an object') {
    const details = ['send what is in it without the wrapper']
    return { expected: 'nothing', received, claim: 'is not a declared property', details }
  }
  const closest = closestName(String(key), names)
  const declared = listValues(names)
  const known = names.length === 0 ? 'no properties are declared here' : `declared: ${declared}`
  return {
    expected: 'nothing',
    received,
    claim: 'is not a declared property',
    details: [closest === undefined ? known : `did you mean ${JSON.stringify(closest)}?`],
  }
}

function mismatch(problem: Problem, received: string): ProblemWords {
  const { node, found } = problem
  if (typeof found === 'string' && !isWellFormed(found) && (node.types & stringBit) !== 0) {
    const expected = 'well-formed text'
    const lone = 'a string with a lone surrogate'
    return { expected, received: lone, claim: `must be ${expected}`, details: [`received ${lone}`] }
  }
  const expected = expectedOf(node)
  const hint = hintFor(problem)
  return {
    expected,
    received,
    claim: `must be ${expected}`,
    details: hint === undefined ? [`received ${received}`] : [`received ${received}`, hint],
  }
}

/** Whether JSON could carry what was found. */
export function isCarriable(found: unknown): boolean {
  return isLosslessScalar(found) ? typeof found !== 'string' || isWellFormed(found) : found instanceof Words
}

/** What a node accepts, in words. */
export function expectedOf(node: CompiledNode): string {
  if (node.kind === 'oneOf') {
    const tagged = node.tag === null ? 0 : objectBit
    const plain = node.branches.filter(({ types }) => (types & tagged) === 0)
    const alternatives = new Set(plain.slice(0, maxListed).map(branch => shallowExpected(branch)))
    if (node.tag !== null) {
      const { name, branchOf } = node.tag
      alternatives.add(`an object whose ${JSON.stringify(name)} is ${listValues(branchOf.keys())}`)
    }
    return joinOr([...alternatives], node.branches.length > maxListed)
  }
  return shallowExpected(node)
}

function shallowExpected(node: CompiledNode): string {
  return node.allowed === null ? nouns[node.kind] : listValues(node.allowed)
}

function listValues(values: Iterable<JsonScalar>): string {
  const listed: string[] = []
  for (const value of values) {
    if (listed.length === maxListed) return joinOr(listed, true)
    listed.push(typeof value === 'string' ? JSON.stringify(shorten(value, 40)) : String(value))
  }
  return listed.length > 1 ? `one of ${listed.join(', ')}` : (listed[0] ?? 'nothing')
}

function joinOr(words: readonly string[], hasMore: boolean): string {
  if (hasMore) return `one of ${words.join(', ')} and others`
  return words.length < 2
    ? (words[0] ?? 'nothing')
    : `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`
}

const leaveOut = 'it is optional: leave it out instead'

function hintFor({ node, found, owner, key }: Problem): string | undefined {
  const property = typeof key === 'string' && owner !== null ? findProperty(owner, key) : undefined
  const isOptional = property?.isRequired === false
  if (found === null || found === undefined) return isOptional ? leaveOut : undefined
  if (typeof found !== 'string') return wrapHint(node, found)
  const text = found.trim()
  if (text === 'null') return isOptional ? leaveOut : 'send null itself, not the text "null"'
  if ((node.types & objectBit) !== 0 && text.startsWith('{'))
    return 'send the object itself, not its JSON text'
  if ((node.types & arrayBit) !== 0 && text.startsWith('[')) return 'send the array itself, not its JSON text'
  if ((node.types & numberBit) !== 0 && text !== '' && Number.isFinite(Number(text))) {
    return 'send the number without quotes'
  }
  if ((node.types & booleanBit) !== 0 && (text === 'true' || text === 'false')) {
    return 'send the boolean without quotes'
  }
  const closest = closestName(
    found,
    (node.allowed ?? []).filter(value => typeof value === 'string'),
  )
  return closest === undefined ? wrapHint(node, found) : `did you mean ${JSON.stringify(closest)}?`
}

/** For one item where an array of them is wanted. */
function wrapHint({ kind, items }: CompiledNode, found: unknown): string | undefined {
  const bit = !(found instanceof Words) ? typeBitOf(found) : found.text === 'an object' ? objectBit : 0
  return kind === 'array' && items.kind !== 'any' && (items.types & bit) !== 0
    ? 'put it in an array, even when it is the only one'
    : undefined
}
