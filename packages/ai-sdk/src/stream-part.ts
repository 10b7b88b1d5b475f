import type { ProviderMetadata } from './replay.js'

/** What is read of the stream parts of all versions. A part of another type is no part of a message of ours. */
export type StreamPart =
  | {
      readonly type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end'
      readonly id: string
      readonly providerMetadata?: ProviderMetadata
    }
  | {
      readonly type: 'text-delta' | 'reasoning-delta'
      readonly id: string
      readonly delta: string
      readonly providerMetadata?: ProviderMetadata
    }
  | ToolInputStart
  | { readonly type: 'tool-input-delta'; readonly id: string; readonly delta: string }
  | CompleteCall
  | {
      readonly type: 'finish'
      readonly usage: SdkUsage
      readonly finishReason: SdkFinishReason
      readonly providerMetadata?: ProviderMetadata
    }
  | { readonly type: 'error'; readonly error: unknown }
  | { readonly type: 'stream-start'; readonly warnings: readonly SdkWarning[] }
  | { readonly type: 'tool-result' | 'file' | 'reasoning-file' | 'custom' | 'tool-approval-request' }
  | { readonly type: 'tool-input-end' | 'source' | 'response-metadata' | 'raw' | 'ping' }

export interface ToolInputStart {
  readonly type: 'tool-input-start'
  readonly id: string
  readonly toolName: string
  readonly inputEncoding?: 'json' | 'text'
  readonly providerExecuted?: boolean
  readonly providerMetadata?: ProviderMetadata
}

/** The call itself, with all of its input. */
export interface CompleteCall {
  readonly type: 'tool-call'
  readonly toolCallId: string
  readonly toolName: string
  readonly input: string
  readonly providerExecuted?: boolean
  readonly providerMetadata?: ProviderMetadata
}

/** A word in version 2; since version 3 also what the provider itself said. */
export type SdkFinishReason = string | { readonly unified: string; readonly raw: string | undefined }

export type SdkUsage = SdkFlatUsage | SdkNestedUsage

/** Version 2. */
export interface SdkFlatUsage {
  readonly inputTokens: number | undefined
  readonly outputTokens: number | undefined
  readonly totalTokens: number | undefined
  readonly reasoningTokens?: number | undefined
  readonly cachedInputTokens?: number | undefined
}

/** Versions 3 and 4. */
export interface SdkNestedUsage {
  readonly inputTokens: {
    readonly total: number | undefined
    readonly noCache: number | undefined
    readonly cacheRead: number | undefined
    readonly cacheWrite: number | undefined
  }
  readonly outputTokens: {
    readonly total: number | undefined
    readonly text: number | undefined
    readonly reasoning: number | undefined
  }
}

export interface SdkWarning {
  readonly type: string
  /** The name of a setting. */
  readonly setting?: unknown
  readonly feature?: string
  readonly details?: string | undefined
  readonly message?: string
}
