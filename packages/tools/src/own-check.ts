import { type Awaitable } from '@agent-spine/scheduler'
import { type JsonObject } from '@agent-spine/schema'
import { maxViolations } from './errors.js'
import { isThenable } from './thenable.js'
import { describeThrown } from './thrown.js'

/** What a schema's own library finds wrong with arguments that our validator accepts. Never throws, never rejects. */
export type OwnCheck = (args: JsonObject) => Awaitable<readonly string[]>

/**
 * Turns the `validate` of a Standard Schema into a check that fails closed: only an answer with a value and without
 * issues accepts. A throw, a rejection and anything else that it may answer refuse.
 */
export function ownCheck(validate: (value: unknown) => unknown): OwnCheck {
  return args => {
    try {
      const answer = validate(args)
      return isThenable(answer) ? Promise.resolve(answer).then(readAnswer).catch(failed) : readAnswer(answer)
    } catch (error) {
      return failed(error)
    }
  }
}

const undecided = ["the tool's own check of the arguments answered neither a value nor issues"]

function failed(error: unknown): readonly string[] {
  return [`the tool's own check of the arguments failed: ${describeThrown(error).message}`]
}

function readAnswer(answer: unknown): readonly string[] {
  if (typeof answer !== 'object' || answer === null) return undecided
  const { issues } = answer as { readonly issues?: unknown }
  if (issues === undefined) return 'value' in answer ? [] : undecided
  if (!Array.isArray(issues) || issues.length === 0) return undecided
  const sentences = Array.from(issues.slice(0, maxViolations), readIssue)
  if (issues.length > sentences.length) sentences.push(`and ${issues.length - sentences.length} more`)
  return sentences
}

interface Issue {
  readonly message?: unknown
  readonly path?: unknown
}

function readIssue(issue: unknown): string {
  const { message, path } = (issue ?? {}) as Issue
  const words = typeof message === 'string' && message !== '' ? message : 'does not fit'
  return `"${printPath(path)}": ${words}`
}

/** `list[0].name`; the root is `arguments`, as in the sentences of our own validator. */
function printPath(path: unknown): string {
  const text = Array.isArray(path) ? Array.from(path, printSegment).join('') : ''
  if (text === '') return 'arguments'
  return text.startsWith('.') ? text.slice(1) : text
}

/** The standard allows a key, and an object that holds it. */
function printSegment(segment: unknown): string {
  const key: unknown =
    typeof segment === 'object' && segment !== null ? (segment as { readonly key?: unknown }).key : segment
  return typeof key === 'number' ? `[${key}]` : `.${String(key)}`
}
