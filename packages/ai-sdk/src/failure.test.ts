import {
  APICallError,
  EmptyResponseBodyError,
  InvalidPromptError,
  JSONParseError,
  LoadAPIKeyError,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider'
import { LlmError } from '@agent-spine/model'
import { describe, expect, it } from 'vitest'
import { toLlmError } from './failure.js'

const running = new AbortController().signal
const failure = (error: unknown) => toLlmError(error, running).failure

const apiError = (statusCode: number | undefined, body: unknown, headers: Record<string, string> = {}) =>
  new APICallError({
    message: 'the message',
    url: 'http://localhost',
    requestBodyValues: {},
    ...(statusCode !== undefined && { statusCode }),
    responseHeaders: headers,
    responseBody: typeof body === 'string' ? body : JSON.stringify(body),
  })

const openAI = (type: string, code: string | null = null) => ({ error: { message: 'No.', type, code } })

describe('an answer of HTTP', () => {
  it.each([
    [401, openAI('invalid_request_error', 'invalid_api_key'), 'AUTH'],
    [401, openAI('authentication_error', 'invalid_request_error'), 'AUTH'],
    [402, openAI('unknown_error', 'invalid_request_error'), 'AUTH'],
    [403, '', 'AUTH'],
    [404, openAI('invalid_request_error', 'model_not_found'), 'INVALID_REQUEST'],
    [408, '', 'TRANSPORT'],
    [413, 'Payload too large', 'CONTEXT_OVERFLOW'],
    [422, '', 'INVALID_REQUEST'],
    [429, openAI('requests', 'rate_limit_exceeded'), 'RATE_LIMITED'],
    [429, openAI('insufficient_quota', 'insufficient_quota'), 'AUTH'],
    [400, openAI('invalid_request_error', 'context_length_exceeded'), 'CONTEXT_OVERFLOW'],
    [400, { error: { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT' } }, 'AUTH'],
    [400, openAI('exceed_context_size_error'), 'CONTEXT_OVERFLOW'],
    [500, '', 'OVERLOADED'],
    [529, '', 'OVERLOADED'],
  ])('%i %j is %s', (status, body, code) => {
    expect(failure(apiError(status, body))).toMatchObject({ code, status })
  })

  it('is not an overflow for speaking of a context window while it limits the rate', () => {
    expect(failure(apiError(429, 'too many tokens of context window per minute')).code).toBe('RATE_LIMITED')
  })

  it('says how long to wait and which request it was', () => {
    const headers = { 'Retry-After': '2', 'Request-Id': 'req_9' }
    expect(failure(apiError(429, '', headers))).toMatchObject({ retryAfterMs: 2000, requestId: 'req_9' })
    const google = { error: { code: 429, status: 'RESOURCE_EXHAUSTED', details: [{ retryDelay: '1.5s' }] } }
    expect(failure(apiError(429, google))).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 1500 })
  })
})

describe('an error in the middle of a stream', () => {
  it.each([
    [{ type: 'overloaded_error', message: 'Overloaded' }, 'OVERLOADED', 'Overloaded'],
    [{ type: 'rate_limit_error', message: 'Slow down' }, 'RATE_LIMITED', 'Slow down'],
    [{ error: { type: 'server_error', message: 'Oops' } }, 'OVERLOADED', 'Oops'],
    [{ code: 429, message: 'Too many' }, 'RATE_LIMITED', 'Too many'],
    [{ code: 'context_length_exceeded', message: 'Too long' }, 'CONTEXT_OVERFLOW', 'Too long'],
    ["This model's maximum context length is 8192 tokens.", 'CONTEXT_OVERFLOW', 'maximum context length'],
    ['boom', 'UNKNOWN', 'boom'],
    [{}, 'UNKNOWN', 'without saying why'],
    [undefined, 'UNKNOWN', 'without saying why'],
  ])('%j is %s', (error, code, message) => {
    const found = failure(error)
    expect(found.code).toBe(code)
    expect(found.message).toContain(message)
  })
})

describe('an error without an answer', () => {
  const caused = (message: string, cause: unknown) => new TypeError(message, { cause })
  it.each([
    [caused('fetch failed', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })), 'TRANSPORT'],
    [
      caused('terminated', Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })),
      'TRANSPORT',
    ],
    [new TypeError('Failed to fetch'), 'TRANSPORT'],
    [new DOMException('too slow', 'TimeoutError'), 'TRANSPORT'],
    [new DOMException('gone', 'AbortError'), 'TRANSPORT'],
    [new JSONParseError({ text: '{', cause: new Error('x') }), 'INCOMPLETE_STREAM'],
    [new EmptyResponseBodyError(), 'INCOMPLETE_STREAM'],
    [new LoadAPIKeyError({ message: 'no key' }), 'AUTH'],
    [new UnsupportedFunctionalityError({ functionality: 'images' }), 'INVALID_REQUEST'],
    [new InvalidPromptError({ prompt: [], message: 'bad' }), 'INVALID_REQUEST'],
    [new Error('boom'), 'UNKNOWN'],
  ])('%s is %s', (error, code) => {
    const found = toLlmError(error, running)
    expect(found.code).toBe(code)
    expect(found.cause).toBe(error)
  })

  it('is the same error if it is one of ours', () => {
    const ours = new LlmError('INVALID_REQUEST', 'no')
    expect(toLlmError(ours, running)).toBe(ours)
  })

  it('survives a chain of causes that is a circle, and an enormous message', () => {
    const circle = new Error('x'.repeat(1_000_000))
    circle.cause = circle
    expect(failure(circle)).toMatchObject({ code: 'UNKNOWN' })
    expect(failure(circle).message.length).toBeLessThanOrEqual(2000)
  })
})

it("is ABORTED after the caller's abort, whatever was thrown", () => {
  const signal = AbortSignal.abort('enough')
  expect(toLlmError(apiError(429, ''), signal)).toMatchObject({ code: 'ABORTED', cause: 'enough' })
})
