import { expect, it } from 'vitest'
import { composeReport, type TestRun } from './test-report.js'

const base = { command: 'node --test', durationMs: 1234, output: 'before\n````\nafter\n' }
const good: TestRun = {
  kind: 'ran',
  outcome: { ...base, directory: 'a', outcome: 'passed', exitCode: 0, passed: 3, failed: 0, skipped: 0 },
}
const bad: TestRun = {
  kind: 'ran',
  outcome: { ...base, directory: 'b|c', outcome: 'failed', exitCode: 1, passed: 1, failed: 2, skipped: 0 },
}
const lost: TestRun = { kind: 'no-outcome', directory: 'd', why: 'cancelled' }

it('says what is known and nothing else', () => {
  const report = composeReport([good, bad, lost])
  expect(report).toContain('1 of 3 directories passed; 6 tests: 4 passed, 2 failed.')
  expect(report).toContain('| a | passed | 3 passed | 0 | 1.2 s |')
  expect(report).toContain('| b\\|c | failed | 1 passed, 2 failed | 1 | 1.2 s |')
  expect(report).toContain('| d | not known | | | |')
  expect(report).toContain('## d\n\ncancelled')
})

it('shows the output of a failed run in a fence that the output cannot close', () => {
  expect(composeReport([bad])).toContain('`````text\nbefore\n````\nafter\n`````\n')
  expect(composeReport([good])).not.toContain('before')
})

it('gives the same bytes for the same runs', () => {
  expect(composeReport([good, bad, lost])).toBe(composeReport([good, bad, lost]))
})
