import { expect, it } from 'vitest'
import { onePress } from './one-press.js'

it('takes signals that come together for one press, and a later one for another', () => {
  let now = 0
  const pressedAt: number[] = []
  const signal = onePress(
    () => void pressedAt.push(now),
    () => now,
  )
  for (now of [0, 1, 249, 250, 251, 400, 500]) signal()
  expect(pressedAt).toEqual([0, 250, 500])
})
