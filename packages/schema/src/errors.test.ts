import { expect, it } from 'vitest'
import { HarnessError } from './errors.js'

it('recognises an error of another copy of the package by its brand', () => {
  const foreign = Object.assign(new Error('x'), {
    code: 'A',
    [Symbol.for('@agent-spine/HarnessError')]: true,
  })
  expect(HarnessError.is(foreign)).toBe(true)
  expect(HarnessError.is(new Error('x'))).toBe(false)
  expect(HarnessError.is(null)).toBe(false)
})

it('keeps code and cause', () => {
  const cause = new Error('disk')
  const error = new HarnessError('A', 'message', { cause })
  expect(error).toMatchObject({ code: 'A', message: 'message', cause, name: 'HarnessError' })
})
