import { type SessionCorruptError } from '@agent-spine/session/jsonl'
import { describeError } from './describe-error.js'

/** What is wrong with a damaged log, for scripts. */
export interface DamageReport {
  readonly code: string
  /** What was expected, and what was found. */
  readonly message: string
  readonly file: string
  /** The first damaged line, from 1, and where it begins. */
  readonly line: number
  readonly byte: number
  /** How many events before it can be read: seq 0 and up. */
  readonly goodEvents: number
}

export function damageReport(error: SessionCorruptError): DamageReport {
  const { code, message } = describeError(error)
  const { file, line, offset: byte, goodEvents } = error
  return { code, message, file, line, byte, goodEvents }
}
