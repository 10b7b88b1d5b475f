import type { JsonValue } from '@agent-spine/schema'
import type { LlmFailure } from './errors.js'

/** Tokens a model call used. The five counts are disjoint: their sum is the total. */
export interface TokenUsage {
  /** Input tokens that were neither read from nor written to a cache. */
  readonly inputTokens: number
  /** Output tokens that were not reasoning. */
  readonly outputTokens: number
  readonly cacheReadTokens?: number
  readonly cacheWriteTokens?: number
  readonly reasoningTokens?: number
}

/** Why a stream ended. */
export type FinishReason =
  | { readonly kind: 'stop' | 'tool-calls' | 'max-tokens' }
  | { readonly kind: 'error' | 'aborted'; readonly failure: LlmFailure }

/** What a `block-start` opens. */
export type BlockStart =
  | { readonly type: 'text' | 'reasoning' }
  | { readonly type: 'tool-call'; readonly id?: string; readonly name?: string }

/**
 * One raw piece of a model stream. Blocks are keyed by `index` and may interleave. `block-start` and `block-end` are
 * optional: a delta opens the block it belongs to.
 */
export type StreamChunk =
  | { readonly type: 'block-start'; readonly index: number; readonly block: BlockStart }
  | { readonly type: 'text-delta' | 'reasoning-delta'; readonly index: number; readonly text: string }
  | {
      readonly type: 'tool-call-delta'
      readonly index: number
      /** The next piece of the raw arguments. */
      readonly text: string
      readonly id?: string
      readonly name?: string
    }
  | { readonly type: 'block-end'; readonly index: number; readonly replay?: JsonValue }
  | { readonly type: 'usage'; readonly usage: TokenUsage }
  /** Exactly one, last. */
  | { readonly type: 'finish'; readonly reason: FinishReason }
