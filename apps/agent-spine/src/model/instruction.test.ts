import { describe, expect, it } from 'vitest'
import { readInstruction } from './instruction.js'

describe('a prompt about tests', () => {
  it.each([
    [
      'run the tests of directories A, B and C and write the outcome to report.md',
      ['A', 'B', 'C'],
      'report.md',
    ],
    [
      'Run the tests in the folders unit, and integration. Save a report to out/result.md',
      ['unit', 'integration'],
      'out/result.md',
    ],
    ['test directory packages/parser', ['packages/parser'], undefined],
    ['run tests of packages `api/` and "web" then report', ['api', 'web'], 'report.md'],
    ['run the tests of directories A and A', ['A'], undefined],
  ])('%s', (prompt, directories, reportPath) => {
    expect(readInstruction(prompt)).toEqual({ kind: 'test', directories, ...(reportPath && { reportPath }) })
  })

  it.each([
    'run all tests and write the outcome to report.md',
    'run the tests of the directories in this workspace',
    'run the tests of directories A B C',
    'run the tests in every directory',
  ])('leaves the directories open where it names none beyond doubt: %s', prompt => {
    expect(readInstruction(prompt)).not.toHaveProperty('directories')
  })
})

it('takes names after "tests of" for candidates only', () => {
  expect(readInstruction('run the tests of alpha, beta and gamma')).toEqual({
    kind: 'test',
    candidates: ['alpha', 'beta', 'gamma'],
  })
})

it.each([
  ['read docs/notes.md', { kind: 'read', path: 'docs/notes.md' }],
  ['search for "needle"', { kind: 'search', text: 'needle' }],
  ['run `ls -la`', { kind: 'shell', command: 'ls -la' }],
  ['list the files', { kind: 'list' }],
  ['hello', { kind: 'unclear' }],
])('%s', (prompt, instruction) => {
  expect(readInstruction(prompt)).toEqual(instruction)
})
