import { INVALID_ARGS, INVALID_TOOL_OUTPUT } from '@agent-spine/model'
import { HarnessError } from '@agent-spine/schema'
import { cutEnd, utf8Length } from './content.js'
import { describeThrown } from './thrown.js'

/** How many violations are named to the model. */
export const maxViolations = 20

const maxMessageBytes = 2000

/** The arguments of a call do not fit the tool's parameters. The body did not run. */
export class ToolArgsError extends HarnessError {
  declare readonly code: typeof INVALID_ARGS
  readonly toolName: string
  /** At most 20 sentences, then `and N more`. */
  readonly violations: readonly string[]

  constructor(toolName: string, violations: readonly string[]) {
    super(INVALID_ARGS, boundMessage(`invalid arguments: ${violations.join('; ')}`))
    this.name = 'ToolArgsError'
    this.toolName = toolName
    this.violations = violations
  }

  /** Whether `value` is a `ToolArgsError` of any copy of this package. Never throws. */
  static override is(value: unknown): value is ToolArgsError {
    return HarnessError.is(value) && describeThrown(value).name === 'ToolArgsError'
  }
}

/** The body ran, but its value does not fit the tool's output schema or cannot be rendered. */
export class ToolOutputError extends HarnessError {
  declare readonly code: typeof INVALID_TOOL_OUTPUT
  readonly toolName: string
  /** At most 20 sentences, then `and N more`. */
  readonly violations: readonly string[]

  constructor(toolName: string, violations: readonly string[], options: { readonly cause?: unknown } = {}) {
    super(
      INVALID_TOOL_OUTPUT,
      boundMessage(`the tool ran, but its output is not what it promises: ${violations.join('; ')}`),
      options,
    )
    this.name = 'ToolOutputError'
    this.toolName = toolName
    this.violations = violations
  }

  /** Whether `value` is a `ToolOutputError` of any copy of this package. Never throws. */
  static override is(value: unknown): value is ToolOutputError {
    return HarnessError.is(value) && describeThrown(value).name === 'ToolOutputError'
  }
}

function boundMessage(message: string): string {
  return utf8Length(message) <= maxMessageBytes ? message : `${cutEnd(message, maxMessageBytes)} …`
}
