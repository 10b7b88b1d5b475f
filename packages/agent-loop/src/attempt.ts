import {
  BlockAssembler,
  LlmError,
  toLlmFailure,
  type AssistantBlock,
  type LanguageModel,
  type LlmFailure,
  type ModelRequest,
  type StreamChunk,
} from '@agent-spine/model'
import { HarnessError } from '@agent-spine/schema'
import type { AttemptScope, EventDraft, RequestHeader } from '@agent-spine/session'
import { takeEach } from './abort.js'
import { kindOf } from './check-options.js'
import type { Turn } from './loop.js'

/**
 * One model call, from `attempt/start` to the drafts that end it.
 *
 * A1. A chunk is in the log before it is assembled. One that comes after the abort is neither logged nor assembled.
 * A2. An answer that finished before the abort is whole; any other is a failure.
 * A3. What the drafts say cites every chunk of the attempt, and no other.
 */
export interface Attempt {
  readonly scope: AttemptScope
  readonly assembler: BlockAssembler
  readonly chunkSeqs: number[]
  failure?: LlmFailure
}

export function newAttempt(scope: AttemptScope): Attempt {
  return { scope, assembler: new BlockAssembler(), chunkSeqs: [] }
}

/** Streams the answer into the log and the assembler. Rejects with what made it fail. */
export async function streamAnswer(
  { loop, signal }: Turn,
  request: ModelRequest,
  attempt: Attempt,
): Promise<void> {
  const { session, model } = loop
  const { scope, assembler, chunkSeqs } = attempt
  try {
    await takeEach(streamOf(model, request), signal, chunk => {
      const event = session.append('assistant/chunk', { ...scope, chunk })
      chunkSeqs.push(event.seq)
      assembler.push(event.data.chunk)
    })
  } catch (error) {
    if (!signal.aborted || assembler.finish === undefined) throw error
  }
  assembler.end()
  const { finish } = assembler
  if (finish?.kind === 'error' || finish?.kind === 'aborted') throw failureError(finish.failure)
}

/** What the model streams. One that was written without types may answer with anything. */
function streamOf(model: LanguageModel, request: ModelRequest): AsyncIterable<StreamChunk> {
  const stream: unknown = model.stream(request)
  if (isAsyncIterable(stream)) return stream as AsyncIterable<StreamChunk>
  throw new HarnessError(
    'INVALID_MODEL',
    `expected stream() of the model ${model.provider}/${model.modelId} to return an async iterable of chunks, found ${kindOf(stream)}: make it an async generator function`,
  )
}

function isAsyncIterable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/** The message of a whole answer, and the end of its attempt. */
export function answerDrafts(
  { scope, assembler, chunkSeqs }: Attempt,
  content: readonly AssistantBlock[],
  header: RequestHeader,
): EventDraft[] {
  const { usage } = assembler
  return [
    {
      type: 'assistant/message',
      data: { ...messageData(scope, content, header), ...(usage && { usage }) },
      surfaceOp: 'append',
      sourceEventSeqs: chunkSeqs,
    },
    { type: 'attempt/end', data: { ...scope, ...(usage && { usage }) } },
  ]
}

/** What is kept of a failed attempt that is not tried again: its visible text, if there is any. */
export function interruptedDrafts(attempt: Attempt, header: RequestHeader): EventDraft[] {
  const { scope, assembler, chunkSeqs } = attempt
  const content = assembler.interruptedBlocks()
  if (content.length === 0) return [failedDraft(attempt)]
  const { usage } = assembler
  return [
    {
      type: 'assistant/message',
      data: { ...messageData(scope, content, header), ...(usage && { usage }), interrupted: true },
      surfaceOp: 'append',
      sourceEventSeqs: chunkSeqs,
    },
    failedDraft(attempt),
  ]
}

/** The end of a failed attempt. Without a message, its chunks stay in the log and out of the conversation. */
export function failedDraft({ scope, assembler, failure }: Attempt): EventDraft<'attempt/end'> {
  const { usage } = assembler
  return { type: 'attempt/end', data: { ...scope, ...(failure && { failure }), ...(usage && { usage }) } }
}

/** Any error of an attempt as data. An abort of ours is told from a failure of the model's. */
export function attemptFailure(error: unknown, signal: AbortSignal): LlmFailure {
  return signal.aborted ? { code: 'ABORTED', message: 'the turn was cancelled' } : toLlmFailure(error)
}

function messageData(
  { turn, step, attempt }: AttemptScope,
  content: readonly AssistantBlock[],
  { config }: RequestHeader,
) {
  return {
    turn,
    step,
    message: {
      id: `assistant_${turn}_${step}_${attempt}`,
      role: 'assistant' as const,
      source: { kind: 'model' as const, provider: config.provider, model: config.model },
      content,
    },
  }
}

function failureError({ code, message, ...facts }: LlmFailure): LlmError {
  return new LlmError(code, message, facts)
}
