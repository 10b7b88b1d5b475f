import { LlmError, type LanguageModel, type ModelRequest, type StreamChunk } from '@agent-spine/model'
import { HarnessError } from '@agent-spine/schema'
import { toCallOptions } from './call-options.js'
import { ChunkReader } from './chunks.js'
import { dialectOf } from './dialect.js'
import { toLlmError } from './failure.js'
import { LinkedAbort } from './linked-abort.js'
import type { AiSdkModel, CallOptions } from './sdk-model.js'
import type { StreamPart } from './stream-part.js'
import type { AiSdkWarning } from './warning.js'

/** What an adapted model tells beside its answer. */
export interface FromAiSdkOptions {
  /**
   * Hears what the provider does not support, and what of an answer was left out because a message has no place for it.
   * Default: nobody. What it throws fails the model call.
   */
  readonly onWarning?: (warning: AiSdkWarning) => void
}

/**
 * A language model of the AI SDK, of specification version 2, 3 or 4, as a {@link LanguageModel}. One request is one
 * `doStream`; nothing is tried again here.
 *
 * @example
 * ```ts
 * const agent = createAgent({ session, model: fromAiSdk(anthropic('claude-sonnet-4-5')) })
 * ```
 *
 * @throws HarnessError `UNSUPPORTED_MODEL`
 */
export function fromAiSdk(model: AiSdkModel, options: FromAiSdkOptions = {}): LanguageModel {
  assertSupported(model)
  const { provider, modelId } = model
  return { provider, modelId, stream: request => streamAnswer(model, request, options) }
}

async function* streamAnswer(
  model: AiSdkModel,
  request: ModelRequest,
  { onWarning }: FromAiSdkOptions,
): AsyncGenerator<StreamChunk, void, undefined> {
  const link = new LinkedAbort(request.signal)
  const chunks = new ChunkReader({ provider: model.provider, warn: warning => onWarning?.(warning) })
  let reader: ReadableStreamDefaultReader<unknown> | undefined
  let isFinished = false
  try {
    request.signal.throwIfAborted()
    const stream = await openStream(model, toCallOptions(request, dialectOf(model), link.signal), link)
    reader = stream.getReader()
    while (!isFinished) {
      const { done, value } = await link.race(reader.read())
      if (done) throw endedEarly()
      for (const chunk of chunks.take(value as StreamPart)) {
        isFinished ||= chunk.type === 'finish'
        yield chunk
      }
    }
  } catch (error) {
    throw toLlmError(error, request.signal)
  } finally {
    link.end({ stop: !isFinished })
    reader?.cancel().catch(() => undefined)
  }
}

/** A stream that opens after the abort is closed at once. */
async function openStream(
  model: AiSdkModel,
  options: CallOptions,
  link: LinkedAbort,
): Promise<ReadableStream<unknown>> {
  const opening = Promise.resolve(model.doStream(options as never))
  try {
    const { stream } = await link.race(opening)
    return stream
  } catch (error) {
    opening.then(({ stream }) => stream.cancel()).catch(() => undefined)
    throw error
  }
}

function endedEarly(): LlmError {
  return new LlmError(
    'INCOMPLETE_STREAM',
    'expected the stream of the answer to end with a "finish" part; it ended without one',
  )
}

function assertSupported(model: AiSdkModel): void {
  const found: unknown = model.specificationVersion
  if ((found === 'v2' || found === 'v3' || found === 'v4') && typeof model.doStream === 'function') return
  throw new HarnessError(
    'UNSUPPORTED_MODEL',
    `expected a language model of the AI SDK with specificationVersion "v2", "v3" or "v4", found ${JSON.stringify(found)}: ` +
      'pass the model object that a provider makes, such as anthropic("…"), of a provider package that fits AI SDK 5 or later',
  )
}
