import { expect, it } from 'vitest'
import { compareOnce } from '../fuzz/against-ajv.js'

it('agrees with ajv on random schemas and values of the subset', { timeout: 120_000 }, () => {
  let compared = 0
  for (let seed = 1; compared < 100_000; seed++) compared += compareOnce(seed, 250)
  expect(compared).toBeGreaterThanOrEqual(100_000)
})
