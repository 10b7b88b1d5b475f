import { defineValue, type InferValue } from '@agent-spine/schema'

/** What `run_tests` returns, and what the model reads, as JSON. */
export const testOutcomeSpec = {
  type: 'object',
  additionalProperties: false,
  properties: {
    directory: { type: 'string', required: true },
    outcome: { type: 'string', enum: ['passed', 'failed', 'no-tests'], required: true },
    command: { type: 'string', required: true, description: 'What was run in the directory.' },
    exitCode: { oneOf: [{ type: 'integer' }, { type: 'null' }], required: true },
    endedBy: { type: 'string', description: 'The signal that ended the command.' },
    passed: { type: 'integer', description: 'How many tests passed, where the runner says so.' },
    failed: { type: 'integer' },
    skipped: { type: 'integer' },
    durationMs: { type: 'integer', required: true },
    output: { type: 'string', required: true, description: 'The end of what the command printed.' },
  },
} as const

/** The true outcome of one directory's tests. */
export type TestOutcome = InferValue<typeof testOutcomeSpec>

const schema = defineValue(testOutcomeSpec)

/** Reads back what the model was shown; `undefined` for anything else, such as the text of an error. */
export function parseTestOutcome(text: string): TestOutcome | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return schema.check(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** `4 passed, 1 failed`, or the exit code where the runner gave no counts; an exit code that denies failures is named. */
export function outcomeText({ outcome, passed, failed, skipped, exitCode, endedBy }: TestOutcome): string {
  if (outcome === 'no-tests') return 'no tests found'
  if (passed === undefined || failed === undefined) {
    return endedBy === undefined
      ? `${outcome}, exit code ${exitCode ?? 'unknown'}`
      : `${outcome}, ended by ${endedBy}`
  }
  const parts = [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped ? [`${skipped} skipped`] : []),
    ...(failed > 0 && exitCode === 0 ? ['although the runner exited 0'] : []),
  ]
  return parts.join(', ')
}
