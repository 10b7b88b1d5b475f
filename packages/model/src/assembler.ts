import type { JsonValue } from '@agent-spine/schema'
import type { FinishReason, StreamChunk, TokenUsage } from './chunk.js'
import { LlmError } from './errors.js'
import type { AssistantBlock, ToolCallBlock } from './message.js'

/**
 * Turns the chunks of one model stream into the blocks of one assistant message.
 *
 * A1. Blocks come out in the order they were opened, by `block-start` or by their first delta.
 * A2. A delta belongs to the open block of its index and kind; one of another kind opens a new block, so nothing is lost.
 * A3. A block closed by `block-end` ignores what still arrives for it.
 * A4. A call of an answer cut by `max-tokens` is never among {@link BlockAssembler.blocks}: a cut call must not run.
 * A5. {@link BlockAssembler.interruptedBlocks} holds no call, complete or not: it was not dispatched, and its result would have to be invented.
 * A6. Text is well-formed even when a chunk boundary splits a surrogate pair.
 * A7. A stream without `finish`, or with anything after it, is no success: {@link BlockAssembler.end} throws.
 *
 * `push` never throws, so a log of any quality can be assembled.
 */
export class BlockAssembler {
  readonly #blocks: OpenBlock[] = []
  readonly #byIndex = new Map<number, OpenBlock>()
  #usage: TokenUsage | undefined
  #finish: FinishReason | undefined
  #afterFinish: string | undefined

  /** Takes the next chunk. O(1). */
  push(chunk: StreamChunk): void {
    if (this.#finish !== undefined) {
      this.#afterFinish ??= chunk.type
      return
    }
    switch (chunk.type) {
      case 'block-start':
        this.#open(chunk.index, chunk.block.type, chunk.block.type === 'tool-call' ? chunk.block : {})
        return
      case 'text-delta':
        this.#extend(chunk.index, 'text', chunk)
        return
      case 'reasoning-delta':
        this.#extend(chunk.index, 'reasoning', chunk)
        return
      case 'tool-call-delta':
        this.#extend(chunk.index, 'tool-call', chunk)
        return
      case 'block-end':
        this.#close(chunk.index, chunk.replay)
        return
      case 'usage':
        this.#usage = { ...this.#usage, ...chunk.usage }
        return
      case 'finish':
        this.#finish = chunk.reason
    }
  }

  /** Tokens used, as far as the stream has said; later figures replace earlier ones. */
  get usage(): TokenUsage | undefined {
    return this.#usage
  }

  /** Why the stream ended; absent while it has not said so. */
  get finish(): FinishReason | undefined {
    return this.#finish
  }

  /** The blocks of a complete answer. Blocks that hold neither text nor replay state are left out. */
  blocks(): AssistantBlock[] {
    const cut = this.#finish?.kind === 'max-tokens'
    return this.#blocks.filter(block => !isEmpty(block) && !(cut && block.kind === 'tool-call')).map(toBlock)
  }

  /** The calls that {@link BlockAssembler.blocks} leaves out because the answer was cut. */
  droppedCalls(): ToolCallBlock[] {
    if (this.#finish?.kind !== 'max-tokens') return []
    return this.#blocks.map(toBlock).filter(block => block.type === 'tool-call')
  }

  /** What is kept of an answer whose stream did not finish: text and reasoning with visible content. */
  interruptedBlocks(): AssistantBlock[] {
    return this.#blocks.filter(block => block.kind !== 'tool-call' && block.text.trim() !== '').map(toBlock)
  }

  /** Ends the stream. Throws {@link LlmError} `INCOMPLETE_STREAM` unless `finish` came, exactly once, and last. */
  end(): void {
    if (this.#finish === undefined) {
      throw new LlmError(
        'INCOMPLETE_STREAM',
        'expected the model stream to end with a "finish" chunk; it ended without one',
      )
    }
    if (this.#afterFinish !== undefined) {
      throw new LlmError(
        'INCOMPLETE_STREAM',
        `expected "finish" to be the last chunk of the model stream; "${this.#afterFinish}" followed it`,
      )
    }
  }

  #open(index: number, kind: BlockKind, start: CallIdentity): void {
    const current = this.#byIndex.get(index)
    if (current !== undefined && !current.closed && current.kind === kind) {
      identify(current, start)
      return
    }
    const block: OpenBlock = { kind, text: '', id: '', name: '', replay: undefined, closed: false }
    identify(block, start)
    this.#blocks.push(block)
    this.#byIndex.set(index, block)
  }

  #extend(index: number, kind: BlockKind, delta: CallIdentity & { readonly text: string }): void {
    if (this.#byIndex.get(index)?.closed === true) return
    this.#open(index, kind, delta)
    const block = this.#byIndex.get(index)
    if (block !== undefined) block.text += delta.text
  }

  #close(index: number, replay: JsonValue | undefined): void {
    const block = this.#byIndex.get(index)
    if (block === undefined || block.closed) return
    block.closed = true
    block.replay = replay
  }
}

type BlockKind = 'text' | 'reasoning' | 'tool-call'

interface OpenBlock {
  readonly kind: BlockKind
  /** Text so far; the raw arguments of a call. */
  text: string
  id: string
  name: string
  replay: JsonValue | undefined
  closed: boolean
}

interface CallIdentity {
  readonly id?: string
  readonly name?: string
}

/** The first id and name that are not empty hold: some providers repeat them, some send them late. */
function identify(block: OpenBlock, source: CallIdentity): void {
  block.id ||= source.id ?? ''
  block.name ||= source.name ?? ''
}

function isEmpty(block: OpenBlock): boolean {
  return block.kind !== 'tool-call' && block.text === '' && block.replay === undefined
}

function toBlock(block: OpenBlock): AssistantBlock {
  const text = block.text.toWellFormed()
  const replay = block.replay === undefined ? {} : { replay: block.replay }
  return block.kind === 'tool-call'
    ? {
        type: 'tool-call',
        id: block.id.toWellFormed(),
        name: block.name.toWellFormed(),
        arguments: text,
        ...replay,
      }
    : { type: block.kind, text, ...replay }
}
