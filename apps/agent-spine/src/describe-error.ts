import { LlmError } from '@agent-spine/model'
import { HarnessError } from '@agent-spine/schema'
import { SessionCorruptError } from '@agent-spine/session/jsonl'
import { CommandError, type ExitCode } from './command-error.js'
import { modelFailureHint } from './model/model-failure-hint.js'
import { withoutControls } from './output/call-text.js'
import { type Paint } from './output/paint.js'

/** Any thrown value, as a person or a script reads it. */
export interface DescribedError {
  readonly code: string
  readonly message: string
  readonly hint?: string
  readonly exitCode: ExitCode
}

const hints: Readonly<Record<string, string>> = {
  SESSION_NOT_FOUND:
    'run "agent-spine sessions" to see which sessions there are, or set AGENT_SPINE_HOME to where they are',
  SESSION_LOCKED:
    'stop the process that is named above, or wait for it; "agent-spine log" and "verify" work beside it',
  SESSION_STORE_FAILED:
    'check that AGENT_SPINE_HOME, or where the file is, is a directory you may read and write, on a disk with room',
  SESSION_CONFLICT:
    'nothing more was written; run "agent-spine verify" on the session, then "agent-spine resume"',
  INVALID_SESSION_ID: 'an id is what "agent-spine sessions" prints; a file needs a slash or ends in .jsonl',
  UNKNOWN_EVENT_TYPE: 'the session was written by a newer version: upgrade agent-spine',
  EACCES: 'check who owns the path and its permissions',
  EPERM: 'check who owns the path and its permissions',
  ENOSPC: 'make room on the disk; what the session holds so far is safe',
  EROFS: 'choose a place that can be written to: set AGENT_SPINE_HOME or --workspace',
}

const wrongArgument = new Set(['SESSION_NOT_FOUND', 'INVALID_SESSION_ID'])

/** Turns whatever a command threw into a code, a sentence and a hint. */
export function describeError(error: unknown): DescribedError {
  const code = codeOf(error)
  const hint = hintOf(error, code)
  return {
    code,
    message: messageOf(error, code),
    ...(hint !== undefined && { hint }),
    exitCode: error instanceof CommandError ? error.exitCode : wrongArgument.has(code) ? 2 : 1,
  }
}

function hintOf(error: unknown, code: string): string | undefined {
  if (error instanceof CommandError) return error.hint
  if (SessionCorruptError.is(error)) return corruptHint(error)
  return LlmError.is(error) ? modelFailureHint(error.failure) : hints[code]
}

function corruptHint({ file }: SessionCorruptError): string {
  const named = /^[\w./-]+$/.test(file) ? file : `'${file}'`
  return `"log", "view" and "verify" show what can be read; agent-spine repair ${named} --salvage copies that to a new session, and leaves this one as it is`
}

/** Without what the terminal says already, or cannot do: a system error repeats its code, a damaged log names a method. */
function messageOf(error: unknown, code: string): string {
  const message = error instanceof Error && error.message !== '' ? error.message : String(error)
  if (code === 'SESSION_CORRUPT') return message.replace(/\. salvage\(.*$/s, '')
  return message.startsWith(`${code}: `) ? message.slice(code.length + 2) : message
}

function codeOf(error: unknown): string {
  if (HarnessError.is(error)) return error.code
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return 'INTERNAL'
}

/** The error as lines for a terminal. */
export function errorText(
  { code, message, hint }: Pick<DescribedError, 'code' | 'message' | 'hint'>,
  paint: Paint,
): string {
  const advice = hint === undefined ? '' : `  hint: ${hint}\n`
  return `${paint('red', `error ${code}`)}: ${withoutControls(message)}\n${advice}`
}
