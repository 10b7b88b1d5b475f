import type { FinishReason, LlmErrorCode } from '@agent-spine/model'
import type { SdkFinishReason } from './stream-part.js'

/**
 * Why an answer ended, in our words. A stream that the provider just stopped is no answer: the AI SDK reports it as
 * `unknown` in version 2, as `other` without a word of the provider in version 3, and as `interrupted` in version 4.
 */
export function finishReason(said: SdkFinishReason, hasCalls: boolean): FinishReason {
  const { unified, raw } = typeof said === 'string' ? { unified: said, raw: said } : said
  switch (unified) {
    case 'stop':
    case 'tool-calls':
      return { kind: hasCalls ? 'tool-calls' : 'stop' }
    case 'length':
      return { kind: 'max-tokens' }
    case 'content-filter':
      return failed('INVALID_REQUEST', `the provider refused to go on with this answer (${raw ?? unified})`)
    case 'error':
      return failed(
        'UNKNOWN',
        `the provider ended the answer with an error (${raw ?? 'it does not say which'})`,
      )
    case 'other':
      if (raw !== undefined) return { kind: hasCalls ? 'tool-calls' : 'stop' }
  }
  return failed(
    'INCOMPLETE_STREAM',
    'the stream of the answer ended before the provider said that it was complete',
  )
}

function failed(code: LlmErrorCode, message: string): FinishReason {
  return { kind: 'error', failure: { code, message } }
}
