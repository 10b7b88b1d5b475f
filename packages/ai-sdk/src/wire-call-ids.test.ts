import fc from 'fast-check'
import { expect, it } from 'vitest'
import { WireCallIds } from './wire-call-ids.js'

const wired = (...ids: readonly string[]) => {
  const calls = new WireCallIds()
  return ids.map(id => calls.of(id))
}

it('W1: keeps an id that every provider accepts, and the same one for the result', () => {
  expect(wired('call_1', 'toolu_01A-b', 'x'.repeat(40), 'call_1')).toEqual([
    'call_1',
    'toolu_01A-b',
    'x'.repeat(40),
    'call_1',
  ])
})

it('W1: makes any other id one', () => {
  expect(wired('functions.read:0', '', 'é', 'x'.repeat(64))).toEqual([
    'functions_read_0',
    'call',
    '_',
    'x'.repeat(40),
  ])
})

it('W2: keeps ids apart that are the same when they are cut', () => {
  const long = 'x'.repeat(50)
  expect(wired(`${long}a`, `${long}b`, 'x'.repeat(40), `${long}b`)).toEqual([
    'x'.repeat(40),
    `${'x'.repeat(38)}_2`,
    `${'x'.repeat(38)}_3`,
    `${'x'.repeat(38)}_2`,
  ])
})

it('W1, W2, W3: for all ids', () => {
  const id = fc.oneof(
    fc.string(),
    fc.constantFrom('a', 'b', 'c').map(end => 'x'.repeat(45) + end),
    fc.constantFrom('x'.repeat(40), `${'x'.repeat(38)}_2`, 'call', 'call_2', ''),
  )
  fc.assert(
    fc.property(fc.uniqueArray(id), id, (ids, next) => {
      const before = wired(...ids)
      for (const one of before) expect(one).toMatch(/^[A-Za-z0-9_-]{1,40}$/)
      expect(new Set(before).size).toBe(ids.length)
      expect(wired(...ids, next).slice(0, ids.length)).toEqual(before)
    }),
  )
})
