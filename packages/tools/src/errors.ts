import { HarnessError } from '@agent-spine/schema'

/** The arguments of a call do not fit the tool's parameters. The body did not run. */
export declare class ToolArgsError extends HarnessError {
  readonly code: 'INVALID_ARGS'
  readonly toolName: string
  /** At most 20 sentences, then `and N more`. */
  readonly violations: readonly string[]
  constructor(toolName: string, violations: readonly string[])
  static override is(value: unknown): value is ToolArgsError
}

/** The body ran, but its value does not fit the tool's output schema or cannot be rendered. */
export declare class ToolOutputError extends HarnessError {
  readonly code: 'INVALID_TOOL_OUTPUT'
  readonly toolName: string
  readonly violations: readonly string[]
  constructor(toolName: string, violations: readonly string[], options?: { readonly cause?: unknown })
  static override is(value: unknown): value is ToolOutputError
}
