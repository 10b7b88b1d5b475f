import { expect, it } from 'vitest'
import { readTestCounts } from './test-counts.js'

it.each([
  ['Node, TAP', '1..3\n# tests 3\n# suites 0\n# pass 2\n# fail 1\n# cancelled 0\n# skipped 0\n', [2, 1, 0]],
  ['Node, spec', 'ℹ tests 4\nℹ suites 0\nℹ pass 2\nℹ fail 1\nℹ cancelled 0\nℹ skipped 1\n', [2, 1, 1]],
  ['Vitest', ' Test Files  1 failed (1)\n      Tests  1 failed | 2 passed (3)\n', [2, 1, 0]],
  [
    'Jest',
    'Test Suites: 1 failed, 1 total\nTests:       1 failed, 1 skipped, 2 passed, 4 total\n',
    [2, 1, 1],
  ],
  ['Mocha', '\n  3 passing (12ms)\n  1 pending\n  2 failing\n\n  1) suite\n', [3, 2, 1]],
  ['tape', '1..2\n# tests 2\n# pass  1\n# fail  1\n', [1, 1, 0]],
  [
    'TAP without a summary',
    'TAP version 13\nok 1 - a\nnot ok 2 - b\nok 3 - c # SKIP later\n1..3\n',
    [1, 1, 1],
  ],
])('%s', (_runner, output, [passed, failed, skipped]) => {
  expect(readTestCounts(output)).toEqual({ passed, failed, skipped })
})

it('says nothing about output it does not know', () => {
  expect(readTestCounts('ok\nall good\n')).toBeUndefined()
})

it('takes the last summary: a test may print one of its own', () => {
  const inner = '# tests 1\n# pass 9\n# fail 9\n'
  expect(readTestCounts(`${inner}${'noise\n'.repeat(20)}# tests 2\n# pass 2\n# fail 0\n`)).toMatchObject({
    passed: 2,
    failed: 0,
  })
})
