import { expect, it } from 'vitest'
import { describeThrown } from './thrown.js'

it('names the error and four causes, and stops there', () => {
  let error = new Error('6')
  for (const message of ['5', '4', '3', '2', '1']) error = new Error(message, { cause: error })
  expect(describeThrown(error)).toEqual({ name: 'Error', message: '1: 2: 3: 4: 5' })
})

it('stops at a cause that is no object', () => {
  expect(describeThrown(new Error('1', { cause: '2' })).message).toBe('1')
})

it.each<[string, unknown, object]>([
  ['empty text', '', { name: 'Error', message: 'an empty string was thrown' }],
  ['blank text', ' \n', { name: 'Error', message: 'an empty string was thrown' }],
  ['text, with its spaces', ' a ', { name: 'Error', message: ' a ' }],
  ['null', null, { name: 'Error', message: 'null' }],
  ['a function, by its name and not its source', function work() {}, { name: 'work', message: 'work' }],
  ['a function with a message', Object.assign(() => 1, { message: 'm' }), { name: 'Error', message: 'm' }],
])('describes %s', (_, thrown, facts) => {
  expect(describeThrown(thrown)).toEqual(facts)
})
