import { type CompiledNode } from './node.js'
import { childPath, type Path, shorten } from './path.js'
import { parseJson, type UnsafeInteger } from './parse-json.js'
import { type Problem } from './problem.js'
import { printProblems, toViolation, type Violation } from './violation.js'
import { collect } from './walk.js'

/** What {@link Validator.parse} answers. */
export type ParseOutcome<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false
      /** Every violation in at most 2 KB, written for the model that sent the text. */
      readonly text: string
      readonly violations: readonly string[]
      readonly issues: readonly Violation[]
    }

const maxTextViolations = 20
const maxLineLength = 400
/** Leaves room for the first and the last line within 2 KB. */
const maxTextBytes = 1900

/** Text, usually of a model, to a checked value. */
export function parseValue<T>(root: CompiledNode, text: string): ParseOutcome<T> {
  const parsed = parseJson(root.kind === 'object' && text.trim() === '' ? '{}' : text)
  if (!parsed.ok) {
    return refused([
      { at: null, key: undefined, code: 'not JSON', node: root, found: parsed.message, owner: null },
    ])
  }
  const problems = collect(root, parsed.value, { parsed: true })
  for (const unsafe of parsed.unsafeIntegers) problems.push(rounded(root, unsafe))
  return problems.length === 0 ? { ok: true, value: parsed.value as T } : refused(problems)
}

function rounded(node: CompiledNode, { path, text }: UnsafeInteger): Problem {
  let at: Path | null = null
  for (const key of path) at = childPath(at, key)
  return { at, key: undefined, code: 'rounded', node, found: text, owner: null }
}

function refused(problems: readonly Problem[]): ParseOutcome<never> {
  return {
    ok: false,
    text: boundedText(problems),
    get violations() {
      return printProblems(problems)
    },
    get issues() {
      return problems.map(toViolation)
    },
  }
}

/** As many violations as fit, and how many there are besides. */
function boundedText(problems: readonly Problem[]): string {
  const encoder = new TextEncoder()
  const lines = ['The arguments were refused:']
  let bytes = 0
  for (const violation of printProblems(problems.slice(0, maxTextViolations))) {
    const line = `- ${shorten(violation, maxLineLength)}`
    bytes += encoder.encode(line).length + 1
    if (bytes > maxTextBytes) break
    lines.push(line)
  }
  const shown = lines.length - 1
  if (shown < problems.length) lines.push(`- and ${problems.length - shown} more`)
  return lines.join('\n')
}
