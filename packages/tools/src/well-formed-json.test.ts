import { type JsonValue, snapshotJson } from '@agent-spine/schema'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { wellFormedJson } from './well-formed-json.js'

it('answers the same value where nothing is to be repaired', () => {
  const value = snapshotJson({ a: ['x', { b: '😀' }] })
  expect(wellFormedJson(value)).toBe(value)
  expect(wellFormedJson('x')).toBe('x')
})

it('replaces half characters at any depth, in a frozen copy, and keeps what is shared shared', () => {
  const shared = { cut: '\ud83d' }
  const value = wellFormedJson(snapshotJson({ a: [shared, shared], ['__proto__x']: 1 }))
  expect(value).toEqual({ a: [{ cut: '\ufffd' }, { cut: '\ufffd' }], __proto__x: 1 })
  const { a } = value as { a: [JsonValue, JsonValue] }
  expect(a[0]).toBe(a[1])
  expect(Object.isFrozen(a)).toBe(true)
})

it('keeps a property that is called __proto__', () => {
  const value = wellFormedJson(snapshotJson(JSON.parse('{"__proto__":{"cut":"\\ud83d"}}')))
  expect(JSON.stringify(value)).toBe('{"__proto__":{"cut":"\ufffd"}}')
})

it('does what writing and reading the text with replacements does', () => {
  const unit = fc.constantFrom('a', '\ud83d', '\ude00', '😀')
  fc.assert(
    fc.property(
      fc.jsonValue().chain(value => fc.tuple(fc.constant(value), fc.string({ unit }))),
      ([value, text]) => {
        const given = snapshotJson(JSON.parse(JSON.stringify({ value, text })))
        const expected: unknown = JSON.parse(
          JSON.stringify(given, (_, part: unknown) =>
            typeof part === 'string' ? part.replace(/\p{Surrogate}/gu, '\ufffd') : part,
          ),
        )
        expect(wellFormedJson(given)).toEqual(expected)
      },
    ),
    { numRuns: 200 },
  )
})

it('does not recurse, and walks a shared graph once', () => {
  let deep: JsonValue = '\ud83d'
  for (let level = 0; level < 20_000; level++) deep = [deep]
  let graph: JsonValue = '\ud83d'
  for (let level = 0; level < 40; level++) graph = [graph, graph]
  for (const value of [deep, graph]) {
    let inner = wellFormedJson(snapshotJson(value))
    while (Array.isArray(inner)) inner = (inner as readonly JsonValue[])[0] ?? null
    expect(inner).toBe('\ufffd')
  }
})
