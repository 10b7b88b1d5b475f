import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseJson } from './index.js'

/** Text that is parsed by our own parser, whatever the native one could do. */
const careful = (text: string) => `[${text},12345678901234567890]`

it('agrees with JSON.parse on every JSON value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(3), (value, space) => {
      const text = JSON.stringify(value, null, space)
      expect(parseJson(text)).toMatchObject({ ok: true, value: JSON.parse(text) as unknown })
      const own = parseJson(careful(text))
      expect(own.ok && (own.value as unknown[])[0]).toEqual(JSON.parse(text))
    }),
    { numRuns: 1000 },
  )
})

it('agrees with JSON.parse on which damaged text is no JSON', () => {
  const damaged = fc.tuple(
    fc.jsonValue(),
    fc.nat(),
    fc.constantFrom('', ',', '"', '\\', '{', '}', '1', '-', '.', '\n', 'e'),
  )
  fc.assert(
    fc.property(damaged, ([value, position, insert]) => {
      const text = careful(JSON.stringify(value))
      const at = position % text.length
      const broken = text.slice(0, at) + insert + text.slice(at + 1)
      let expected: unknown
      try {
        expected = JSON.parse(broken)
      } catch {
        expected = undefined
      }
      const result = parseJson(broken)
      if (expected === undefined) expect(result.ok).toBe(false)
      else if (result.ok) expect(JSON.stringify(result.value)).toBe(JSON.stringify(expected))
      else expect(result.message).toContain('range of a double')
    }),
    { numRuns: 3000 },
  )
})

it('lists integers that a double would round, with path and digits', () => {
  const result = parseJson('{"a":[9007199254740991,9007199254740992,-12345678901234567890],"b":1e300}')
  expect(result.ok && result.unsafeIntegers.map(({ path, text }) => [path, text])).toEqual([
    [['a', 1], '9007199254740992'],
    [['a', 2], '-12345678901234567890'],
  ])
})

it('lets no value through that is not lossless', () => {
  expect(parseJson('-0')).toMatchObject({ ok: true, value: 0 })
  expect(parseJson('[-0.0e-5]')).toEqual({ ok: true, value: [0], unsafeIntegers: [] })
  expect(parseJson('-1e-400')).toEqual({ ok: true, value: 0, unsafeIntegers: [] })
  expect(parseJson('1e400')).toMatchObject({ ok: false, offset: 0 })
})

it('says where and what, in words that do not depend on the engine', () => {
  expect(parseJson('{\n  "a": nul\n}')).toEqual({
    ok: false,
    message: 'expected a JSON value, found "nul\\n}" at line 2, column 8',
    offset: 9,
  })
  expect(parseJson('')).toMatchObject({
    ok: false,
    message: expect.stringContaining('found the end of the text') as string,
  })
})

it('keeps __proto__ an own property', () => {
  const result = parseJson('{"__proto__":{"x":12345678901234567890}}')
  expect(result.ok && Object.keys(result.value as object)).toEqual(['__proto__'])
})

it('parses a million levels with its own parser', () => {
  const levels = 300_000
  expect(parseJson(careful('['.repeat(levels) + ']'.repeat(levels))).ok).toBe(true)
  expect(parseJson('{"a":'.repeat(levels))).toMatchObject({ ok: false, offset: 5 * levels })
})
