import { LlmError, type StreamChunk } from '@agent-spine/model'
import { CallInputs } from './call-inputs.js'
import { finishReason } from './finish-reason.js'
import { mergeMetadata, replayOf, type ProviderMetadata } from './replay.js'
import type { StreamPart } from './stream-part.js'
import { tokenUsage } from './usage.js'
import { leftOut, readWarning, type AiSdkWarning } from './warning.js'

/** What a reading needs to know beside the parts. */
export interface ChunkReaderOptions {
  readonly provider: string
  readonly warn: (warning: AiSdkWarning) => void
}

/**
 * Turns the parts of one answer into chunks, in their order.
 *
 * K1. Each block gets an index of its own, however often a provider uses an id again.
 * K2. What a provider attaches to a block, at its start, at a delta or at its end, becomes the block's replay state.
 * K3. The answer ends with one `finish`, after the usage, if the provider tells it. An error of the stream is thrown.
 * K4. What has no place in a message of ours is reported, and left out.
 */
export class ChunkReader {
  readonly #options: ChunkReaderOptions
  readonly #open = new Map<string, OpenBlock>()
  readonly #calls = new CallInputs(() => this.#nextIndex++)
  #nextIndex = 0
  #hasCalls = false

  constructor(options: ChunkReaderOptions) {
    this.#options = options
  }

  /** @throws LlmError, or what the provider reports as the error of its stream. */
  take(part: StreamPart): StreamChunk[] {
    switch (part.type) {
      case 'text-start':
        return this.#start('text', part)
      case 'reasoning-start':
        return this.#start('reasoning', part)
      case 'text-delta':
        return this.#delta('text', part)
      case 'reasoning-delta':
        return this.#delta('reasoning', part)
      case 'text-end':
        return this.#end('text', part)
      case 'reasoning-end':
        return this.#end('reasoning', part)
      case 'tool-input-start':
        return this.#calls.start(part)
      case 'tool-input-delta':
        return this.#calls.delta(part)
      case 'tool-call':
        if (part.providerExecuted === true)
          this.#options.warn(leftOut(`a call of ${part.toolName}, which the provider ran itself`))
        else this.#hasCalls = true
        return this.#calls.complete(part)
      case 'finish':
        return this.#finish(part)
      case 'error':
        throw part.error
      case 'stream-start':
        for (const warning of part.warnings) this.#options.warn(readWarning(warning))
        return []
      case 'tool-result':
      case 'file':
      case 'reasoning-file':
      case 'custom':
      case 'tool-approval-request':
        this.#options.warn(leftOut(`a part of type "${part.type}"`))
        return []
      default:
        return []
    }
  }

  #start(kind: BlockKind, { id, providerMetadata }: TextPart): StreamChunk[] {
    const ended = this.#end(kind, { id })
    const index = this.#nextIndex++
    this.#open.set(`${kind} ${id}`, { index, metadata: providerMetadata })
    return [...ended, { type: 'block-start', index, block: { type: kind } }]
  }

  #delta(kind: BlockKind, part: TextPart & { readonly delta: string }): StreamChunk[] {
    const { id, delta, providerMetadata } = part
    const started = this.#open.has(`${kind} ${id}`) ? [] : this.#start(kind, { id })
    const block = this.#open.get(`${kind} ${id}`)
    if (block === undefined) return started
    block.metadata = mergeMetadata(block.metadata, providerMetadata)
    if (delta === '') return started
    return [...started, { type: `${kind}-delta`, index: block.index, text: delta }]
  }

  #end(kind: BlockKind, { id, providerMetadata }: TextPart): StreamChunk[] {
    const block = this.#open.get(`${kind} ${id}`)
    if (block === undefined) return []
    this.#open.delete(`${kind} ${id}`)
    const replay = replayOf(mergeMetadata(block.metadata, providerMetadata))
    return [{ type: 'block-end', index: block.index, ...(replay !== undefined && { replay }) }]
  }

  #finish(part: Extract<StreamPart, { type: 'finish' }>): StreamChunk[] {
    const reason = finishReason(part.finishReason, this.#hasCalls)
    if (reason.kind === 'error') throw new LlmError(reason.failure.code, reason.failure.message)
    if (reason.kind !== 'max-tokens') this.#calls.end()
    const usage = tokenUsage(part, this.#options.provider)
    return [...(usage === undefined ? [] : [{ type: 'usage' as const, usage }]), { type: 'finish', reason }]
  }
}

type BlockKind = 'text' | 'reasoning'

interface TextPart {
  readonly id: string
  readonly providerMetadata?: ProviderMetadata | undefined
}

interface OpenBlock {
  readonly index: number
  metadata: ProviderMetadata | undefined
}
