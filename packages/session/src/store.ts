import type { SessionEvent } from './event.js'

/** What a store keeps of a session beside its events. */
export interface SessionHeader {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

/** The writer's end of one stored session. */
export interface SessionLog {
  /** Takes events in seq order, synchronously; they become durable with the next flush. Throws when the store can no longer write. */
  append(events: readonly SessionEvent[]): void
  /** Resolves once everything appended so far survives `kill -9` (and power loss, where the store syncs). */
  flush(): Promise<void>
  /** Flushes and gives up the writer lease. */
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
  readonly events: readonly SessionEvent[]
  readonly log: SessionLog
  readonly recovered?: RecoveredTail
}

/** The port that sessions are stored through. `describeSessionStore` of `./testing` is the suite every store runs. */
export interface SessionStore {
  /** Makes an empty session and takes its writer lease. Fails if the id exists. */
  create(header: SessionHeader): Promise<SessionLog>
  /** Reads a session and takes its writer lease. */
  open(id: string): Promise<OpenedSession>
  /** Reads without a lease, in bounded memory, beside a live writer. */
  read(id: string): AsyncIterable<SessionEvent>
  list(): AsyncIterable<SessionHeader>
}
