import type { JsonObject } from '@agent-spine/schema'
import type { FinishReason, StreamChunk, TokenUsage } from './chunk.js'
import { LlmError } from './errors.js'
import type { LanguageModel, ModelRequest } from './language-model.js'

/** An answer by its parts; `finish` defaults to `tool-calls` where there are calls, else `stop`. */
export interface ScriptedParts {
  readonly reasoning?: string
  readonly text?: string
  readonly calls?: readonly {
    readonly id?: string
    readonly name: string
    readonly arguments: string | JsonObject
  }[]
  readonly usage?: TokenUsage
  readonly finish?: FinishReason
}

/** One answer of the script. A function sees the request and may stream chunks at its own pace. */
export type ScriptedAnswer =
  | string
  | ScriptedParts
  | readonly StreamChunk[]
  | ((request: ModelRequest) => ScriptedAnswer | AsyncIterable<StreamChunk>)

/** A model that plays a script, and the requests it was sent. */
export interface ScriptedModel extends LanguageModel {
  readonly requests: readonly ModelRequest[]
}

/**
 * A language model for tests: the n-th request gets the n-th answer, streamed in small chunks. Throws
 * `LlmError` `INVALID_REQUEST` past the end of the script, and `ABORTED` once the request's signal aborts.
 *
 * @example
 * scriptedModel([{ calls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] }, 'It says hello.'])
 */
export function scriptedModel(
  answers: readonly ScriptedAnswer[],
  identity: { readonly provider?: string; readonly modelId?: string } = {},
): ScriptedModel {
  const requests: ModelRequest[] = []
  return {
    provider: identity.provider ?? 'scripted',
    modelId: identity.modelId ?? 'script',
    requests,
    async *stream(request) {
      const answer = answers[requests.length]
      requests.push(request)
      if (answer === undefined) {
        throw new LlmError(
          'INVALID_REQUEST',
          `expected at most ${answers.length} requests, as many as the script has answers; this is one more`,
        )
      }
      for await (const chunk of chunksOf(answer, request)) {
        if (request.signal.aborted) throw abortError(request.signal)
        yield chunk
      }
      if (request.signal.aborted) throw abortError(request.signal)
    },
  }
}

function abortError(signal: AbortSignal): LlmError {
  return new LlmError('ABORTED', 'the request was aborted', { cause: signal.reason })
}

function chunksOf(
  answer: ScriptedAnswer | AsyncIterable<StreamChunk>,
  request: ModelRequest,
): AsyncIterable<StreamChunk> | Iterable<StreamChunk> {
  if (typeof answer === 'function') return chunksOf(answer(request), request)
  if (typeof answer === 'string') return chunksOfParts({ text: answer })
  if (isChunks(answer)) return answer
  return chunksOfParts(answer)
}

function isChunks(
  answer: ScriptedParts | readonly StreamChunk[] | AsyncIterable<StreamChunk>,
): answer is readonly StreamChunk[] | AsyncIterable<StreamChunk> {
  return Array.isArray(answer) || Symbol.asyncIterator in answer
}

function* chunksOfParts({
  reasoning,
  text,
  calls = [],
  usage,
  finish,
}: ScriptedParts): Iterable<StreamChunk> {
  let index = 0
  if (reasoning !== undefined) yield* deltas('reasoning-delta', index++, reasoning)
  if (text !== undefined) yield* deltas('text-delta', index++, text)
  for (const [position, call] of calls.entries()) {
    const raw = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments)
    const id = call.id ?? `scripted_${position}`
    yield { type: 'block-start', index, block: { type: 'tool-call', id, name: call.name } }
    yield* deltas('tool-call-delta', index++, raw)
  }
  if (usage !== undefined) yield { type: 'usage', usage }
  yield { type: 'finish', reason: finish ?? { kind: calls.length > 0 ? 'tool-calls' : 'stop' } }
}

const pieceLength = 16

function* deltas(
  type: 'text-delta' | 'reasoning-delta' | 'tool-call-delta',
  index: number,
  text: string,
): Iterable<StreamChunk> {
  for (let start = 0; start < text.length; start += pieceLength) {
    yield { type, index, text: text.slice(start, start + pieceLength) }
  }
  yield { type: 'block-end', index }
}
