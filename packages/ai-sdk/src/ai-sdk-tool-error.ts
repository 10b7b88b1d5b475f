import { HarnessError } from '@agent-spine/schema'
import type { ToolOutcome } from '@agent-spine/tools'

/** The code of a {@link AiSdkToolError} whose outcome has none. */
export const TOOL_FAILED = 'TOOL_FAILED'

/**
 * A call of a tool that came to an error. Its message is what the model reads; its code is the outcome's, such as
 * `INVALID_ARGS` or `DENIED`, or `TOOL_FAILED`.
 */
export class AiSdkToolError extends HarnessError {
  readonly outcome: ToolOutcome

  constructor(outcome: ToolOutcome, message: string) {
    super(outcome.error?.code ?? TOOL_FAILED, message)
    this.name = 'AiSdkToolError'
    this.outcome = outcome
  }

  /** Whether `value` is an `AiSdkToolError` of any copy of this package. Never throws. */
  static override is(value: unknown): value is AiSdkToolError {
    return HarnessError.is(value) && value.name === 'AiSdkToolError'
  }
}
