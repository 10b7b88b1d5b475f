import { expect, it } from 'vitest'
import { closestNames } from './closest-names.js'

it('names the three closest, best first', () => {
  const names = ['write_file', 'read_file', 'read_files', 'list', 'bash']
  expect(closestNames('raed_file', names)).toEqual(['read_file', 'read_files', 'write_file'])
  expect(closestNames('READ_FILE', names)[0]).toBe('read_file')
})

it('orders equally close names, so that the text is the same every time', () => {
  expect(closestNames('x', ['b', 'c', 'a'])).toEqual(['a', 'b', 'c'])
  expect(closestNames('x', [])).toEqual([])
})

it('compares a name of megabytes by its start', () => {
  expect(closestNames(`read_file${'x'.repeat(5_000_000)}`, ['read_file', 'b'])).toHaveLength(2)
})

it('puts the name itself first, before any that comes earlier in the alphabet', () => {
  expect(closestNames('abc', ['aaa', 'bc', 'abc'])).toEqual(['abc', 'bc', 'aaa'])
})

it('counts what is missing before a common end', () => {
  expect(closestNames('c', ['aaa', 'abc'])).toEqual(['abc', 'aaa'])
})
