import type { LlmErrorCode } from '@agent-spine/model'
import type { ErrorFacts } from './error-facts.js'

/**
 * What kind of failure it is. A word that only one kind of failure uses counts more than the HTTP status, since an
 * exhausted quota comes with 429 and a wrong key with 400; then the status; then the kind of error.
 */
export function failureCode({ words, status, names, message, body }: ErrorFacts): LlmErrorCode {
  const text = [message, body, ...words].join('\n')
  if (mayBeOverflow(status) && overflow.test(text)) return 'CONTEXT_OVERFLOW'
  if (status === 400 && /api[ _]key not valid|API_KEY_INVALID/i.test(text)) return 'AUTH'
  return (
    first(words, byWord) ??
    byStatus(status) ??
    first(names, byName) ??
    (networkFailure(names, message) ? 'TRANSPORT' : 'UNKNOWN')
  )
}

/** How providers and servers say that a conversation is too long. */
const overflow = new RegExp(
  [
    'context_length_exceeded',
    'exceed_context_size',
    'maximum context length',
    'context (window|length|size|limit)',
    'prompt is too long',
    'input is too long',
    'too large for model with \\d+ maximum',
    'input token count .*exceeds',
    'exceeds? the maximum number of (input )?tokens',
    'request_too_large',
  ].join('|'),
  'i',
)

function mayBeOverflow(status: number | undefined): boolean {
  return status === undefined || [400, 413, 422, 500].includes(status)
}

/** Left out: `invalid_request_error` and `INVALID_ARGUMENT`, which providers also say of wrong keys and unknown models. */
const byWord: Readonly<Record<string, LlmErrorCode>> = {
  authentication_error: 'AUTH',
  billing_error: 'AUTH',
  insufficient_quota: 'AUTH',
  invalid_api_key: 'AUTH',
  permission_denied: 'AUTH',
  permission_error: 'AUTH',
  unauthenticated: 'AUTH',
  rate_limit_error: 'RATE_LIMITED',
  rate_limit_exceeded: 'RATE_LIMITED',
  resource_exhausted: 'RATE_LIMITED',
  api_error: 'OVERLOADED',
  internal: 'OVERLOADED',
  internal_server_error: 'OVERLOADED',
  overloaded_error: 'OVERLOADED',
  server_error: 'OVERLOADED',
  service_unavailable: 'OVERLOADED',
  unavailable: 'OVERLOADED',
  deadline_exceeded: 'TRANSPORT',
  timeout_error: 'TRANSPORT',
}

function byStatus(status: number | undefined): LlmErrorCode | undefined {
  if (status === undefined) return undefined
  if (status >= 500) return 'OVERLOADED'
  switch (status) {
    case 401:
    case 402:
    case 403:
      return 'AUTH'
    case 408:
      return 'TRANSPORT'
    case 413:
      return 'CONTEXT_OVERFLOW'
    case 429:
      return 'RATE_LIMITED'
    default:
      return 'INVALID_REQUEST'
  }
}

/** Errors of the AI SDK, by name. */
const byName: Readonly<Record<string, LlmErrorCode>> = {
  ai_loadapikeyerror: 'AUTH',
  ai_emptyresponsebodyerror: 'INCOMPLETE_STREAM',
  ai_invalidresponsedataerror: 'INCOMPLETE_STREAM',
  ai_jsonparseerror: 'INCOMPLETE_STREAM',
  ai_typevalidationerror: 'INCOMPLETE_STREAM',
  ai_invalidargumenterror: 'INVALID_REQUEST',
  ai_invalidprompterror: 'INVALID_REQUEST',
  ai_loadsettingerror: 'INVALID_REQUEST',
  ai_nosuchmodelerror: 'INVALID_REQUEST',
  ai_unsupportedfunctionalityerror: 'INVALID_REQUEST',
  // Someone else's abort: the caller's is told apart before.
  aborterror: 'TRANSPORT',
  timeouterror: 'TRANSPORT',
}

const networkCode =
  /^(E[A-Z]{3,}|EAI_AGAIN|UND_ERR_\w+|ConnectionRefused|ConnectionClosed|FailedToOpenSocket)$/
const networkMessage =
  /fetch failed|failed to fetch|cannot connect to api|^terminated$|network error|socket hang up/i

function networkFailure(names: readonly string[], message: string): boolean {
  return names.some(name => networkCode.test(name)) || networkMessage.test(message)
}

function first(
  words: readonly string[],
  codes: Readonly<Record<string, LlmErrorCode>>,
): LlmErrorCode | undefined {
  return words.map(word => codes[word.toLowerCase()]).find(code => code !== undefined)
}
