import { typeBitOf } from './node.js'
import { childPath, jsonPointer, type Path, pathKeys, printPath } from './path.js'
import { hasOwn } from './plain.js'
import { type Problem } from './problem.js'
import { isCarriable, wordsFor } from './words.js'

/** The keyword a {@link Violation} is about; `json` for a value that JSON or a provider could not carry. */
export type ViolationKeyword =
  'type' | 'enum' | 'const' | 'required' | 'additionalProperties' | 'oneOf' | 'json'

/** One thing that is wrong with a value. Every field becomes text when it is read. */
export interface Violation {
  /** Property names and array indices from the root. */
  readonly path: readonly (string | number)[]
  /** The same as a JSON Pointer (RFC 6901); `''` is the root. */
  readonly pointer: string
  /** The keyword that was not met. */
  readonly keyword: ViolationKeyword
  /** What the schema wants there, for example `an integer`. */
  readonly expected: string
  /** What was there, for example `string "10"`; at most 40 characters of the value. */
  readonly received: string
  /** Both as one sentence, with the root called `arguments`. */
  readonly message: string
}

export function toViolation(problem: Problem): Violation {
  return new LazyViolation(problem)
}

/** The sentence for a problem, its path under `prefix`. */
export function printProblem(prefix: string, problem: Problem): string {
  const { claim, details } = wordsFor(problem)
  const path = printPath(prefix, pathOf(problem))
  return details.length === 0 ? `"${path}" ${claim}` : `"${path}" ${claim} (${details.join('; ')})`
}

/** How violations are printed. */
export interface PrintOptions {
  /** What the root is called; `''` (the default) prints the root as `arguments` and a property by its bare name. */
  readonly path?: string
  /** How many violations are printed before `and N more`. Default: all. */
  readonly limit?: number
}

export function printProblems(problems: readonly Problem[], options: PrintOptions = {}): string[] {
  const { path = '', limit = Infinity } = options
  const shown = problems.slice(0, limit).map(problem => printProblem(path, problem))
  if (problems.length > shown.length) shown.push(`and ${problems.length - shown.length} more`)
  return shown
}

class LazyViolation implements Violation {
  readonly #problem: Problem

  constructor(problem: Problem) {
    this.#problem = problem
  }

  get path(): readonly (string | number)[] {
    return pathKeys(pathOf(this.#problem))
  }

  get pointer(): string {
    return jsonPointer(this.path)
  }

  get keyword(): ViolationKeyword {
    return keywordOf(this.#problem)
  }

  get expected(): string {
    return wordsFor(this.#problem).expected
  }

  get received(): string {
    return wordsFor(this.#problem).received
  }

  get message(): string {
    return printProblem('', this.#problem)
  }

  /** All fields, for logs. */
  toJSON(): Violation {
    const { path, pointer, keyword, expected, received, message } = this
    return { path, pointer, keyword, expected, received, message }
  }
}

/** Where a problem is. */
export function pathOf({ at, key, code, node }: Problem): Path | null {
  const path = childPath(at, key)
  return code === 'bad tag' ? childPath(path, node.tag?.name) : path
}

function keywordOf({ code, node, found }: Problem): ViolationKeyword {
  switch (code) {
    case 'missing':
      return 'required'
    case 'bad tag':
    case 'many branches':
      return 'oneOf'
    case 'not plain':
    case 'circular':
    case 'too large':
    case 'not JSON':
    case 'rounded':
      return 'json'
    case 'mismatch':
      if (node.kind === 'never') return 'additionalProperties'
      if (node.kind === 'any' || !isCarriable(found)) return 'json'
      if (node.kind === 'oneOf') return 'oneOf'
      if (node.allowed === null || (node.types & typeBitOf(found)) === 0) return 'type'
      return hasOwn(node.schema, 'const') ? 'const' : 'enum'
  }
}
