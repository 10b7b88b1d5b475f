import type { LlmErrorCode } from '@agent-spine/model'
import { describe, expect, it } from 'vitest'
import { retryDelayMs } from './retry.js'

const failure = (code: LlmErrorCode, retryAfterMs?: number) => ({
  code,
  message: 'x',
  ...(retryAfterMs !== undefined && { retryAfterMs }),
})
const policy = { maxRetries: 5, baseDelayMs: 100, maxDelayMs: 1000 }

describe('the retry policy', () => {
  it.each(['RATE_LIMITED', 'OVERLOADED', 'TRANSPORT', 'INCOMPLETE_STREAM'] as const)('waits for %s', code => {
    expect(retryDelayMs({ ...policy, random: () => 1 }, failure(code), 0)).toBe(100)
  })

  it.each([
    'CONTEXT_OVERFLOW',
    'AUTH',
    'INVALID_REQUEST',
    'INVARIANT_VIOLATION',
    'ABORTED',
    'UNKNOWN',
  ] as const)('gives up on %s, which does not pass by itself', code => {
    expect(retryDelayMs(policy, failure(code), 0)).toBeUndefined()
  })

  it('doubles up to its bound, with jitter over the upper half', () => {
    const delays = (random: number) =>
      [0, 1, 2, 3, 4].map(attempt =>
        retryDelayMs({ ...policy, random: () => random }, failure('OVERLOADED'), attempt),
      )
    expect(delays(1)).toEqual([100, 200, 400, 800, 1000])
    expect(delays(0)).toEqual([50, 100, 200, 400, 500])
  })

  it('makes no more attempts than it may', () => {
    expect(retryDelayMs(policy, failure('OVERLOADED'), 4)).toBeDefined()
    expect(retryDelayMs(policy, failure('OVERLOADED'), 5)).toBeUndefined()
    expect(retryDelayMs({ maxRetries: 0 }, failure('OVERLOADED'), 0)).toBeUndefined()
  })

  it('never comes back sooner than the provider asked, and gives up when that is too late', () => {
    expect(retryDelayMs({ ...policy, random: () => 0 }, failure('RATE_LIMITED', 900), 0)).toBe(900)
    expect(retryDelayMs(policy, failure('RATE_LIMITED', 1001), 0)).toBeUndefined()
  })
})
