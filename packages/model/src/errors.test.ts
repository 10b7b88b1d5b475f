import { HarnessError } from '@agent-spine/schema'
import { expect, it } from 'vitest'
import { LlmError, toLlmFailure } from './errors.js'

it('is a HarnessError whose facts become plain data', () => {
  const error = new LlmError('RATE_LIMITED', 'slow down', { status: 429, retryAfterMs: 1500, requestId: 'r' })
  expect(HarnessError.is(error)).toBe(true)
  expect(LlmError.is(error)).toBe(true)
  expect(error.failure).toEqual({
    message: 'slow down',
    code: 'RATE_LIMITED',
    status: 429,
    retryAfterMs: 1500,
    requestId: 'r',
  })
})

it('leaves out what is not known', () => {
  expect(new LlmError('AUTH', 'no key').failure).toEqual({ message: 'no key', code: 'AUTH' })
})

it('is told apart from other HarnessErrors', () => {
  expect(LlmError.is(new HarnessError('AUTH', 'x'))).toBe(false)
})

it('flattens the cause chain of any other error, and survives hostile values', () => {
  const error = new Error('request failed', { cause: new Error('socket hang up') })
  expect(toLlmFailure(error)).toEqual({ message: 'request failed: socket hang up', code: 'UNKNOWN' })
  const circular = new Error('loop')
  circular.cause = circular
  expect(toLlmFailure(circular).message).toContain('loop')
  const hostile = {
    toString: () => {
      throw new Error('no')
    },
  }
  expect(toLlmFailure(hostile)).toEqual({ message: 'a value that cannot be read', code: 'UNKNOWN' })
  expect(toLlmFailure(undefined)).toEqual({ message: 'unknown error', code: 'UNKNOWN' })
})
