import type { SessionEvent } from './event.js'

/** What a store keeps of a session beside its events. */
export interface SessionHeader {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

/** The writer's end of one stored session. */
export interface SessionLog {
  /**
   * Takes deeply frozen events in seq order, synchronously, all or none; they become durable with the next flush. Throws,
   * and takes none, when they do not continue the log or the store can no longer write.
   */
  append(events: readonly SessionEvent[]): void
  /** Resolves once everything appended so far survives `kill -9` (and power loss, where the store syncs). */
  flush(): Promise<void>
  /** Flushes and gives up the writer lease. Where that fails, it may be called again. */
  close(): Promise<void>
}

/** What recovery cut from a log whose last write was torn. */
export interface RecoveredTail {
  /** How many bytes were moved aside. */
  readonly bytes: number
  /** Where they are now, as the store names it. */
  readonly movedTo?: string
  /** The cut is more than a crash tears off: events that were reported as written may be missing. */
  readonly lostTail?: true
}

/** An opened session: its history, and the writer's end of its log. */
export interface OpenedSession {
  readonly header: SessionHeader
  /** The whole history. Of event types nobody knows too: the session decides what to make of them. */
  readonly events: readonly SessionEvent[]
  readonly log: SessionLog
  readonly recovered?: RecoveredTail
  /**
   * The events are what `JSON.parse` made just now and nobody keeps them: the session may freeze them where they are
   * instead of copying them, which takes most of the time that opening a long session costs.
   */
  readonly isParsed?: boolean
}

/** The port that sessions are stored through. `describeSessionStore` of `./testing` is the suite every store runs. */
export interface SessionStore {
  /** Makes an empty session and takes its writer lease. Throws `SessionExistsError`, `InvalidSessionIdError`. */
  create(header: SessionHeader): Promise<SessionLog>
  /** Reads a session and takes its writer lease. Throws `SessionNotFoundError`, `SessionLockedError`, `InvalidSessionIdError`. */
  open(id: string): Promise<OpenedSession>
  /** Reads without a lease, in bounded memory, beside a live writer: at least what was flushed before. */
  read(id: string): AsyncIterable<SessionEvent>
  list(): AsyncIterable<SessionHeader>
}
