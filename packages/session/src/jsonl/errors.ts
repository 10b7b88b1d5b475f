import { HarnessError } from '@agent-spine/schema'
import type { Damage } from './log-scan.js'

/** A log whose damage is no torn last write. Nothing was changed. */
export class SessionCorruptError extends HarnessError {
  declare readonly code: 'SESSION_CORRUPT'
  readonly sessionId: string
  /** The damaged file. */
  readonly file: string
  /** The first damaged line, from 1. */
  readonly line: number
  /** Where that line begins, in bytes. */
  readonly offset: number
  /** How many events before the damage are good: seq 0 and up. */
  readonly goodEvents: number

  constructor(sessionId: string, file: string, damage: Damage & { readonly goodEvents: number }) {
    super('SESSION_CORRUPT', corruptMessage(sessionId, file, damage))
    this.name = 'SessionCorruptError'
    this.sessionId = sessionId
    this.file = file
    this.line = damage.line
    this.offset = damage.offset
    this.goodEvents = damage.goodEvents
  }

  /** Whether `value` is a `SessionCorruptError` of any copy of this package. */
  static override is(value: unknown): value is SessionCorruptError {
    return HarnessError.is(value) && value.name === 'SessionCorruptError'
  }
}

/** A file operation failed: no space, no permission, a broken device. */
export class SessionStoreError extends HarnessError {
  declare readonly code: 'SESSION_STORE_FAILED'

  constructor(message: string, cause: unknown) {
    super('SESSION_STORE_FAILED', `${message}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    })
    this.name = 'SessionStoreError'
  }

  /** Whether `value` is a `SessionStoreError` of any copy of this package. */
  static override is(value: unknown): value is SessionStoreError {
    return HarnessError.is(value) && value.name === 'SessionStoreError'
  }
}

/** The error of a caller for `error`: itself where it is one of ours already. */
export function storeError(message: string, error: unknown): HarnessError {
  return HarnessError.is(error) ? error : new SessionStoreError(message, error)
}

function corruptMessage(sessionId: string, file: string, damage: Damage & { goodEvents: number }): string {
  const { found, line, offset, goodEvents } = damage
  const good = goodEvents === 0 ? 'no events before it are good' : `seq 0 to ${goodEvents - 1} are good`
  return (
    `session "${sessionId}" is damaged: expected a record at line ${line}, byte ${offset} of ${file}, found ${found}; ` +
    `${good}. Nothing was changed. salvage("${sessionId}") copies what is good to a new session`
  )
}
