import {
  BlockAssembler,
  type AssistantBlock,
  type LanguageModel,
  type LlmError,
  type Message,
  type ModelRequest,
  type StreamChunk,
} from '@agent-spine/model'

/** A request with a question, or of given messages. */
export function request(model: LanguageModel, more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    messages: [user('hello')],
    config: { provider: model.provider, model: model.modelId },
    sessionId: 'test',
    signal: new AbortController().signal,
    ...more,
  }
}

export function user(text: string): Message {
  return { id: `user ${text}`, role: 'user', source: { kind: 'user' }, content: [{ type: 'text', text }] }
}

/** All chunks of an answer. */
export async function chunksOf(
  model: LanguageModel,
  more: Partial<ModelRequest> = {},
): Promise<StreamChunk[]> {
  const chunks: StreamChunk[] = []
  for await (const chunk of model.stream(request(model, more))) chunks.push(chunk)
  return chunks
}

/** What the assembler makes of chunks. */
export function blocksOf(chunks: readonly StreamChunk[]): AssistantBlock[] {
  const assembler = new BlockAssembler()
  for (const chunk of chunks) assembler.push(chunk)
  assembler.end()
  return assembler.blocks()
}

/** The failure of a model call that has to fail. */
export async function failureOf(answer: Promise<unknown>): Promise<LlmError['failure']> {
  try {
    await answer
  } catch (error) {
    return (error as LlmError).failure
  }
  throw new Error('expected the model call to fail')
}
