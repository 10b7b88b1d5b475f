import { expect, it } from 'vitest'
import { compareOnce } from '../fuzz/against-ajv.js'
import { hostileOnce } from '../fuzz/hostile.js'

it('agrees with ajv on random schemas and values of the subset', { timeout: 120_000 }, () => {
  let compared = 0
  for (let seed = 1; compared < 100_000; seed++) compared += compareOnce(seed, 250)
  expect(compared).toBeGreaterThanOrEqual(100_000)
})

it('agrees with ajv and a reference on values that no text could give', { timeout: 120_000 }, () => {
  let judged = 0
  for (let seed = 1; judged < 20_000; seed++) judged += hostileOnce(seed, 100)
  expect(judged).toBeGreaterThanOrEqual(20_000)
})
