import { expect, it } from 'vitest'
import { testDirectories } from './test-directories.js'

const listing = [
  'README.md',
  'a/',
  'a/a.test.js',
  'docs/',
  'docs/guide.md',
  'nested/',
  'nested/deep/',
  'nested/deep/x_test.mjs',
  'scripted/',
  'scripted/package.json',
].join('\n')

it('takes the directories at the top that have tests or a package of their own', () => {
  expect(testDirectories(listing, 'run the tests')).toEqual(['a', 'nested', 'scripted'])
})

it('takes the listed directories that the prompt mentions', () => {
  expect(testDirectories(listing, 'run the tests of nested/deep and docs.')).toEqual(['docs', 'nested/deep'])
})

it('takes all candidates where one of them is listed, and none where none is', () => {
  expect(testDirectories(listing, 'x', ['a', 'gone'])).toEqual(['a', 'gone'])
  expect(testDirectories(listing, 'x', ['everything'])).toEqual(['a', 'nested', 'scripted'])
})

it('does not take an article for a directory where all are meant', () => {
  expect(testDirectories(listing, 'run all tests and write a report')).toEqual(['a', 'nested', 'scripted'])
})

it('takes the workspace itself where only it has tests', () => {
  expect(testDirectories('x.test.js\ndocs/', 'run the tests')).toEqual(['.'])
  expect(testDirectories('docs/\ndocs/guide.md', 'run the tests')).toEqual([])
})
