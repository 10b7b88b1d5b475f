import { expect, it } from 'vitest'
import { ownCheck } from './own-check.js'

function sentencesOf(issue: unknown): unknown {
  return ownCheck(() => ({ issues: [issue] }))({})
}

const undecided = ["the tool's own check of the arguments answered neither a value nor issues"]

it('accepts an answer with a value and without issues, now or later', async () => {
  expect(ownCheck(value => ({ value }))({})).toEqual([])
  expect(await ownCheck(value => Promise.resolve({ value, issues: undefined }))({})).toEqual([])
})

it.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['a number', 5],
  ['text', 'value'],
  ['neither a value nor issues', {}],
  ['no issues beside a value', { value: {}, issues: [] }],
  ['issues that are no list', { value: {}, issues: 'none' }],
])('refuses an answer that decides nothing: %s', async (_, answer) => {
  expect(ownCheck(() => answer)({})).toEqual(undecided)
  expect(await ownCheck(() => Promise.resolve(answer))({})).toEqual(undecided)
})

it('refuses when the check throws or rejects, and says why', async () => {
  const sentence = "the tool's own check of the arguments failed: no database"
  const thrown = ownCheck(() => {
    throw new Error('no database')
  })
  expect(thrown({})).toEqual([sentence])
  expect(await ownCheck(() => Promise.reject(new Error('no database')))({})).toEqual([sentence])
})

it('names twenty issues, and counts the rest', () => {
  const issues = (count: number): unknown =>
    ownCheck(() => ({ issues: Array.from({ length: count }, () => ({ message: 'bad' })) }))({})
  const twenty = Array.from({ length: 20 }, () => '"arguments": bad')
  expect(issues(20)).toEqual(twenty)
  expect(issues(21)).toEqual([...twenty, 'and 1 more'])
})

it.each<[string, unknown, string]>([
  ['no path', undefined, 'arguments'],
  ['an empty path', [], 'arguments'],
  ['a path that is no list', 'a', 'arguments'],
  ['keys', ['a', 'b'], 'a.b'],
  ['an index inside', ['list', 0, 'name'], 'list[0].name'],
  ['an index first', [0, 'name'], '[0].name'],
  ['objects that hold their keys', [{ key: 'list' }, { key: 2 }], 'list[2]'],
  ['null', ['a', null], 'a.null'],
])('prints where an issue is: %s', (_, path, printed) => {
  expect(sentencesOf({ message: 'bad', path })).toEqual([`"${printed}": bad`])
})

it.each<[string, unknown]>([
  ['empty words', { message: '' }],
  ['words that are a number', { message: 5 }],
  ['no words', {}],
  ['null', null],
  ['nothing', undefined],
])('says that the value does not fit where an issue says nothing: %s', (_, issue) => {
  expect(sentencesOf(issue)).toEqual(['"arguments": does not fit'])
})
