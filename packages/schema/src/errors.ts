const brand = Symbol.for('@agent-spine/HarnessError')

/** Extra facts an error carries beside its message. */
export interface HarnessErrorOptions {
  /** What caused this error, kept as `error.cause`. */
  readonly cause?: unknown
}

/**
 * The base of every error these packages throw: a caller's bug or a broken environment, told apart by a literal `code`.
 *
 * Two copies of a package in one process recognise each other's errors through {@link HarnessError.is}, which reads a
 * brand and not the prototype chain.
 */
export class HarnessError extends Error {
  /** Stable, machine-readable reason, for example `UNSUPPORTED_SCHEMA`. */
  readonly code: string

  constructor(code: string, message: string, options: HarnessErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.name = 'HarnessError'
    this.code = code
    Object.defineProperty(this, brand, { value: true })
  }

  /** Whether `value` is a `HarnessError` of any copy of this package. Never throws. */
  static is(value: unknown): value is HarnessError {
    try {
      return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[brand] === true
    } catch {
      return false
    }
  }
}
