import fc from 'fast-check'
import { expect, it } from 'vitest'
import { WireCallIds, type CallIdForm } from './wire-call-ids.js'

const wiredAs = (form: CallIdForm, ids: readonly string[]) => {
  const calls = new WireCallIds(form)
  return ids.map(id => calls.of(id))
}
const wired = (...ids: readonly string[]) => wiredAs('common', ids)

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

it('W1, W2: gives Mistral its own ids back, and makes others of their form', () => {
  expect(wiredAs('mistral', ['D681PevKs', 'call_1', '000000001', '000000002', 'call_1'])).toEqual([
    'D681PevKs',
    '000000001',
    '000000002',
    '000000003',
    '000000001',
  ])
})

it.each([
  ['common', /^[A-Za-z0-9_-]{1,40}$/],
  ['mistral', /^[A-Za-z0-9]{9}$/],
] as const)('W1, W2, W3: for all ids, %s', (form, accepted) => {
  const id = fc.oneof(
    fc.string(),
    fc.constantFrom('a', 'b', 'c').map(end => 'x'.repeat(45) + end),
    fc.constantFrom('x'.repeat(40), `${'x'.repeat(38)}_2`, 'call', 'call_2', ''),
    fc.constantFrom('000000000', '000000001', '000000002'),
  )
  fc.assert(
    fc.property(fc.uniqueArray(id), id, (ids, next) => {
      const before = wiredAs(form, ids)
      for (const one of before) expect(one).toMatch(accepted)
      expect(new Set(before).size).toBe(ids.length)
      expect(wiredAs(form, [...ids, next]).slice(0, ids.length)).toEqual(before)
    }),
  )
})
