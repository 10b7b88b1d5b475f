import type { LlmErrorCode, LlmFailure } from '@agent-spine/model'

/** How a failed model call is tried again. Without one, it is not. */
export interface RetryPolicy {
  /** How many further attempts one step may make. */
  readonly maxRetries: number
  /** The wait before the first of them, doubled for each next one. Default 500. */
  readonly baseDelayMs?: number
  /** The longest wait. A provider that asks for a longer one is not tried again. Default 30 000. */
  readonly maxDelayMs?: number
  /** Between 0 and 1, for the jitter. Default `Math.random`. */
  readonly random?: () => number
}

const transient: ReadonlySet<LlmErrorCode> = new Set<LlmErrorCode>([
  'RATE_LIMITED',
  'OVERLOADED',
  'TRANSPORT',
  'INCOMPLETE_STREAM',
])

/**
 * How long to wait before the attempt after number `attempt` (from 0), or `undefined` to give up. Exponential, with
 * jitter over its upper half, never shorter than the provider asked for, and only for failures that pass by themselves.
 */
export function retryDelayMs(
  { maxRetries, baseDelayMs = 500, maxDelayMs = 30_000, random = Math.random }: RetryPolicy,
  failure: LlmFailure,
  attempt: number,
): number | undefined {
  if (attempt >= maxRetries || !transient.has(failure.code)) return undefined
  const asked = failure.retryAfterMs ?? 0
  if (asked > maxDelayMs) return undefined
  const bound = Math.min(maxDelayMs, baseDelayMs * 2 ** attempt)
  return Math.max(asked, bound * (0.5 + random() / 2))
}
