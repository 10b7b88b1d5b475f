import { LlmError } from '@agent-spine/model'
import { errorFacts } from './error-facts.js'
import { failureCode } from './failure-code.js'
import { retryAfterMs } from './retry-after.js'

/** Any failure of a model call as an {@link LlmError}. After the caller's abort, every failure is `ABORTED`. */
export function toLlmError(error: unknown, signal: AbortSignal): LlmError {
  if (signal.aborted) return new LlmError('ABORTED', 'the request was aborted', { cause: signal.reason })
  if (LlmError.is(error)) return error
  const facts = errorFacts(error)
  const { status, headers, body, message } = facts
  const wait = retryAfterMs(headers, body)
  const requestId = headers['x-request-id'] ?? headers['request-id']
  return new LlmError(failureCode(facts), message, {
    cause: error,
    ...(status !== undefined && { status }),
    ...(wait !== undefined && { retryAfterMs: wait }),
    ...(requestId !== undefined && { requestId }),
  })
}
