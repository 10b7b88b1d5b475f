import { expect, it } from 'vitest'
import { compareOnce } from './against-ajv.js'

const seconds = Number(process.env['FUZZ_SECONDS'] ?? 60)

it(`agrees with ajv for ${seconds} s`, { timeout: (seconds + 60) * 1000 }, () => {
  const first = Date.now() >>> 0
  const end = Date.now() + seconds * 1000
  let compared = 0
  let seed = first
  for (; Date.now() < end; seed++) compared += compareOnce(seed, 200)
  console.log(`${compared} verdicts compared, seeds ${first} to ${seed - 1}`)
  expect(compared).toBeGreaterThan(0)
})
