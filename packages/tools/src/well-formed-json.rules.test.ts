import { type JsonValue, snapshotJson } from '@agent-spine/schema'
import { expect, it } from 'vitest'
import { wellFormedJson } from './well-formed-json.js'

it.each<[string, unknown]>([
  ['text', 'x 😀'],
  ['no text at all', { n: 1, none: null, yes: true, list: [], map: {} }],
  ['text at any depth', { a: ['x', { b: '😀' }], none: null }],
])('answers the same value where nothing is to be repaired: %s', (_, given) => {
  const value = snapshotJson(given)
  expect(wellFormedJson(value)).toBe(value)
})

it('replaces half characters in bare text', () => {
  expect(wellFormedJson('a\ud83d')).toBe('a\ufffd')
})

it('keeps everything else in a value that it repairs', () => {
  const rest = { n: 1, none: null, yes: true, no: false, text: '😀', empty: [], map: {}, list: [[], 'x'] }
  const repaired = wellFormedJson(snapshotJson({ ...rest, cut: ['\ude00b'] }))
  expect(repaired).toEqual({ ...rest, cut: ['\ufffdb'] })
  expect(Object.isFrozen(repaired)).toBe(true)
})

it('keeps what is shared shared in a value that it repairs', () => {
  const shared = ['\ud83d']
  const [first, second] = wellFormedJson(snapshotJson([shared, shared])) as readonly JsonValue[]
  expect(first).toEqual(['\ufffd'])
  expect(second).toBe(first)
})

it('walks a shared graph once', () => {
  let graph: JsonValue = 'x'
  for (let level = 0; level < 40; level++) graph = [graph, graph]
  const value = snapshotJson(graph)
  // Compared here, because a failure would print the graph as the tree that it stands for.
  expect(wellFormedJson(value) === value).toBe(true)
})
