import { HarnessError } from '@agent-spine/schema'

/** Why the log refused an event. */
export type EventRefusal =
  /** The event's shape is wrong: a missing field, a wrong type, a value that JSON cannot hold. */
  | 'INVALID_EVENT'
  /** A type this version does not know, and that is not marked `ignorable`. */
  | 'UNKNOWN_EVENT_TYPE'
  /** `seq` does not continue the log. */
  | 'SEQ_MISMATCH'
  /** A turn or step boundary out of place, or an event that does not name the open step. */
  | 'STEP_NOT_OPEN'
  /** Not exactly one result per call, or a call id used twice. */
  | 'CALL_CONFLICT'
  /** The surface may not take the event now, or not there. */
  | 'SURFACE_CONFLICT'

/** An event that would make the log untrue. Nothing of its batch was appended. */
export class EventRefusedError extends HarnessError {
  declare readonly code: EventRefusal
  /** The seq the refused event has, or would have had. */
  readonly seq: number
  /** The refused event's type, as far as it could be read. */
  readonly eventType: string
  /** The earlier event that stands in the way. */
  readonly conflictSeq?: number

  constructor(
    code: EventRefusal,
    message: string,
    event: {
      readonly seq: number
      readonly type: string
      readonly conflictSeq?: number
      readonly cause?: unknown
    },
  ) {
    super(code, message, 'cause' in event ? { cause: event.cause } : {})
    this.name = 'EventRefusedError'
    this.seq = event.seq
    this.eventType = event.type
    if (event.conflictSeq !== undefined) this.conflictSeq = event.conflictSeq
  }

  /** Whether `value` is an `EventRefusedError` of any copy of this package. */
  static override is(value: unknown): value is EventRefusedError {
    return HarnessError.is(value) && value.name === 'EventRefusedError'
  }
}

/** An append to a session or store log that was closed. Open the session again to go on. */
export class SessionClosedError extends HarnessError {
  declare readonly code: 'SESSION_CLOSED'
  readonly sessionId: string

  constructor(sessionId: string) {
    super('SESSION_CLOSED', `session ${quote(sessionId)} is closed: open it again to append to it`)
    this.name = 'SessionClosedError'
    this.sessionId = sessionId
  }
}

/** The id is taken. */
export class SessionExistsError extends HarnessError {
  declare readonly code: 'SESSION_EXISTS'
  readonly sessionId: string

  constructor(sessionId: string) {
    super(
      'SESSION_EXISTS',
      `session ${quote(sessionId)} exists already: open it, or create one with another id`,
    )
    this.name = 'SessionExistsError'
    this.sessionId = sessionId
  }
}

/** The store holds no session of that id. */
export class SessionNotFoundError extends HarnessError {
  declare readonly code: 'SESSION_NOT_FOUND'
  readonly sessionId: string

  constructor(sessionId: string) {
    super(
      'SESSION_NOT_FOUND',
      `the store holds no session ${quote(sessionId)}: check the id, or create the session`,
    )
    this.name = 'SessionNotFoundError'
    this.sessionId = sessionId
  }
}

/** Another writer holds the session. */
export class SessionLockedError extends HarnessError {
  declare readonly code: 'SESSION_LOCKED'
  readonly sessionId: string
  /** Who holds it, as the store knows it. */
  readonly holder: string

  constructor(sessionId: string, holder: string) {
    super(
      'SESSION_LOCKED',
      `session ${quote(sessionId)} is held by ${holder}: close it there before you open it here`,
    )
    this.name = 'SessionLockedError'
    this.sessionId = sessionId
    this.holder = holder
  }
}

/** Somebody else wrote to the session while this writer believed that it held it. Nothing more is written. */
export class SessionConflictError extends HarnessError {
  declare readonly code: 'SESSION_CONFLICT'
  readonly sessionId: string

  /** `found` finishes the sentence "session … was changed by another writer: …". */
  constructor(sessionId: string, found: string) {
    super(
      'SESSION_CONFLICT',
      `session ${quote(sessionId)} was changed by another writer: ${found}. Nothing more is written here; open it again to go on`,
    )
    this.name = 'SessionConflictError'
    this.sessionId = sessionId
  }
}

/** The id could not be a file name everywhere. */
export class InvalidSessionIdError extends HarnessError {
  declare readonly code: 'INVALID_SESSION_ID'

  constructor(id: unknown) {
    super(
      'INVALID_SESSION_ID',
      `a session id is 1 to 128 of A-Z a-z 0-9 . _ - and does not start with a dot (found ${quote(id)})`,
    )
    this.name = 'InvalidSessionIdError'
  }
}

function quote(value: unknown): string {
  if (typeof value !== 'string') return typeof value
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
}
