import { HarnessError } from '@agent-spine/schema'

/** 0 done, 1 failed, 2 wrong usage, 130 interrupted. */
export type ExitCode = 0 | 1 | 2 | 130

/** What a {@link CommandError} carries beside its code and message. */
export interface CommandErrorOptions {
  /** What the person at the terminal can do about it. */
  readonly hint?: string
  /** Default 1. */
  readonly exitCode?: ExitCode
  readonly cause?: unknown
}

/** A failure that a command knows how to explain. */
export class CommandError extends HarnessError {
  readonly hint?: string
  readonly exitCode: ExitCode

  constructor(code: string, message: string, options: CommandErrorOptions = {}) {
    super(code, message, 'cause' in options ? { cause: options.cause } : {})
    this.name = 'CommandError'
    if (options.hint !== undefined) this.hint = options.hint
    this.exitCode = options.exitCode ?? 1
  }
}

/** The command line does not say what to do. */
export function usageError(message: string, hint: string): CommandError {
  return new CommandError('USAGE', message, { hint, exitCode: 2 })
}

/** What was printed did not arrive. */
export function outputFailed(cause: Error): CommandError {
  return new CommandError('OUTPUT_FAILED', `expected to write to stdout, found: ${cause.message}`, {
    hint: 'make room, or send the output elsewhere; what it holds so far is incomplete',
    cause,
  })
}
