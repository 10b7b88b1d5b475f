import assert from 'node:assert/strict'
import { test } from 'node:test'
import { throttle } from './throttle.js'

test('keeps the order', async () => {
  const run = throttle(200)
  const order = []
  await Promise.all([1, 2, 3].map(number => run(() => order.push(number))))
  assert.deepEqual(order, [1, 2, 3])
})

test('keeps the distance', async () => {
  const run = throttle(250)
  const times = []
  await Promise.all([1, 2, 3].map(() => run(() => times.push(performance.now()))))
  assert.ok(times[1] - times[0] >= 240 && times[2] - times[1] >= 240)
})

test('hands on what the job returns', async () => {
  const run = throttle(1)
  assert.equal(await run(() => 'done'), 'done')
})

test('a failing job does not stop the next one', async () => {
  const run = throttle(1)
  const failing = run(() => Promise.reject(new Error('no')))
  await assert.rejects(failing, /no/)
  assert.equal(await run(() => 'next'), 'next')
})
