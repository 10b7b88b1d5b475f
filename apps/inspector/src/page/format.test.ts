import { expect, it } from 'vitest'
import { formatCount, formatDuration, formatMoment, plural, roundStep } from './format.js'

it.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [2550, '2.55 s'],
  [61_000, '1 min 1 s'],
  [86_400_000, '24 h 0 min'],
])('%i ms lasts %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

it.each([
  [0, 500, '+0.0 s'],
  [4200, 200, '+4.2 s'],
  [59_999, 1000, '+1:00'],
  [64_203, 1, '+1:04.203'],
  [3_723_004, 1, '+1:02:03.004'],
  [86_465_000, 20_000, '+24:01:05'],
])('%i ms in steps of %i is the moment %s', (ms, step, text) => {
  expect(formatMoment(ms, step)).toBe(text)
})

it('counts have their groups apart', () => {
  expect([0, 999, 1000, 1_234_567].map(formatCount)).toEqual(['0', '999', '1 000', '1 234 567'])
  expect([plural(1, 'call'), plural(2, 'call')]).toEqual(['1 call', '2 calls'])
})

it('a step is 1, 2 or 5 times a power of ten, and not less than asked for', () => {
  expect([0.3, 1, 1.1, 3, 7, 4500].map(roundStep)).toEqual([0.5, 1, 2, 5, 10, 5000])
})
