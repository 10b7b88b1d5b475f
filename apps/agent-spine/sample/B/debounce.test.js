import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { debounce } from './debounce.js'

test('calls once after a burst', async () => {
  let calls = 0
  const save = debounce(() => calls++, 300)
  for (let index = 0; index < 5; index++) save(index)
  await wait(600)
  assert.equal(calls, 1)
})

test('passes the latest value', async () => {
  let saved
  const save = debounce(value => (saved = value), 300)
  save('first')
  save('second')
  await wait(600)
  assert.equal(saved, 'second')
})

test('can be used again', async () => {
  const saved = []
  const save = debounce(value => saved.push(value), 100)
  save('one')
  await wait(250)
  save('two')
  await wait(250)
  assert.deepEqual(saved, ['one', 'two'])
})
