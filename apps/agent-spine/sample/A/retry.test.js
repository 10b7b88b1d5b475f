import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retry } from './retry.js'

test('returns the first success', async () => {
  assert.equal(await retry(attempt => attempt), 1)
})

test('goes on after failures', async () => {
  const flaky = attempt => (attempt < 4 ? Promise.reject(new Error('not yet')) : attempt)
  assert.equal(await retry(flaky), 4)
})

test('gives up with the last error', async () => {
  const broken = attempt => Promise.reject(new Error(`failure ${attempt}`))
  await assert.rejects(retry(broken, { attempts: 3 }), /failure 3/)
})
