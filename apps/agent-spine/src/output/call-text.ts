import { parseArguments } from '@agent-spine/tools'
import { outcomeText, parseTestOutcome } from '../tools/test-outcome.js'

const titleLength = 60
const resultLength = 100

/** A call in a few words: its name and its first argument. */
export function callTitle(name: string, rawArguments: string): string {
  const args = parseArguments(rawArguments)
  const values =
    typeof args === 'object' && args !== null && !Array.isArray(args) ? Object.values(args) : [args]
  const first = values.find(value => typeof value === 'string')
  return first === undefined || first === '' ? name : `${name} ${firstLine(first, titleLength)}`
}

/** A result in a few words. */
export function resultSummary(text: string): string {
  const tests = parseTestOutcome(text)
  return tests === undefined ? firstLine(text, resultLength) : outcomeText(tests)
}

/** Text that cannot move the cursor of a terminal or give it orders. Its lines and tabs stay. */
export function withoutControls(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what it looks for
  return text.replace(/\r\n/g, '\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, ' ')
}

function firstLine(text: string, length: number): string {
  const line = withoutControls(text.trim().split('\n')[0] ?? '').replaceAll('\t', ' ')
  return line.length > length ? `${line.slice(0, length - 1).toWellFormed()}…` : line
}
