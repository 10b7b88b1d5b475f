import { HarnessError } from '@agent-spine/schema'
import type { LlmErrorCode } from './codes.js'

/** Why a model call failed, as plain data that a log can hold. */
export interface LlmFailure {
  readonly message: string
  readonly code: LlmErrorCode
  /** HTTP status, where there was one. */
  readonly status?: number
  /** How long the provider asked to wait, in milliseconds. */
  readonly retryAfterMs?: number
  /** The provider's id of the request, for a support ticket. */
  readonly requestId?: string
}

/** What an {@link LlmError} carries beside its code and message. */
export interface LlmErrorOptions {
  readonly status?: number
  readonly retryAfterMs?: number
  readonly requestId?: string
  readonly cause?: unknown
}

/** A model call that failed. Adapters throw it; the loop logs its {@link LlmError.failure}. */
export class LlmError extends HarnessError {
  declare readonly code: LlmErrorCode
  readonly status?: number
  readonly retryAfterMs?: number
  readonly requestId?: string

  constructor(code: LlmErrorCode, message: string, options: LlmErrorOptions = {}) {
    super(code, message, 'cause' in options ? { cause: options.cause } : {})
    this.name = 'LlmError'
    if (options.status !== undefined) this.status = options.status
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs
    if (options.requestId !== undefined) this.requestId = options.requestId
  }

  /** The same facts as plain data. */
  get failure(): LlmFailure {
    return {
      message: this.message,
      code: this.code,
      ...(this.status !== undefined && { status: this.status }),
      ...(this.retryAfterMs !== undefined && { retryAfterMs: this.retryAfterMs }),
      ...(this.requestId !== undefined && { requestId: this.requestId }),
    }
  }

  /** Whether `value` is an `LlmError` of any copy of this package. */
  static override is(value: unknown): value is LlmError {
    return HarnessError.is(value) && value.name === 'LlmError'
  }
}

/** Any thrown value as an {@link LlmFailure}; what is no `LlmError` becomes `UNKNOWN` with the messages of its cause chain. */
export function toLlmFailure(error: unknown): LlmFailure {
  return LlmError.is(error) ? error.failure : { message: causeChain(error), code: 'UNKNOWN' }
}

const maxCauses = 8

function causeChain(error: unknown): string {
  const messages: string[] = []
  let current = error
  for (let depth = 0; depth < maxCauses && current !== undefined && current !== null; depth++) {
    messages.push(describe(current))
    current = current instanceof Error ? current.cause : undefined
  }
  return messages.join(': ') || 'unknown error'
}

function describe(value: unknown): string {
  try {
    return value instanceof Error ? value.message || value.name : String(value)
  } catch {
    return 'a value that cannot be read'
  }
}
