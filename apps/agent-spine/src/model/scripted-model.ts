import { LlmError, type LanguageModel, type ModelRequest, type StreamChunk } from '@agent-spine/model'
import { type Answer } from './answer.js'
import { planAnswer } from './plan-answer.js'

export interface ScriptedModelOptions {
  /** The pause before each piece, so that cancelling in mid-stream means something. Default 12. */
  readonly pieceDelayMs?: number
}

const pieceLength = 12

/** The model that comes with the command: offline, deterministic, without memory of its own. */
export function scriptedModel({ pieceDelayMs = 12 }: ScriptedModelOptions = {}): LanguageModel {
  return {
    provider: 'scripted',
    modelId: 'rules',
    async *stream({ messages, signal }: ModelRequest) {
      for (const chunk of chunksOf(planAnswer(messages))) {
        await pause(pieceDelayMs, signal)
        yield chunk
      }
    },
  }
}

function* chunksOf({ text, calls }: Answer): Generator<StreamChunk> {
  let index = 0
  yield { type: 'block-start', index, block: { type: 'text' } }
  for (const piece of pieces(text)) yield { type: 'text-delta', index, text: piece }
  yield { type: 'block-end', index }
  for (const { name, args } of calls) {
    index += 1
    yield { type: 'block-start', index, block: { type: 'tool-call', name } }
    for (const piece of pieces(JSON.stringify(args))) yield { type: 'tool-call-delta', index, text: piece }
    yield { type: 'block-end', index }
  }
  yield { type: 'finish', reason: { kind: calls.length > 0 ? 'tool-calls' : 'stop' } }
}

function* pieces(text: string): Generator<string> {
  for (let start = 0; start < text.length; start += pieceLength) yield text.slice(start, start + pieceLength)
}

function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(new LlmError('ABORTED', 'the request was aborted', { cause: signal.reason }))
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort)
      resolve()
    }, delayMs)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}
