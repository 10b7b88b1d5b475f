import type { SessionEvent } from './event.js'
import type { Session } from './session.js'
import type { SessionStore } from './store.js'

/** What every way to a session takes. */
export interface SessionOptions {
  /** Stamps events, in milliseconds since 1970. Default `Date.now`. */
  readonly clock?: () => number
  /** Event types beyond the core ones that this application knows. Any other type must be marked `ignorable`. */
  readonly eventTypes?: readonly string[]
  /** Told what an observer threw. Default: `console.error`. */
  readonly onObserverError?: (error: unknown, event: SessionEvent) => void
}

export interface CreateSessionOptions extends SessionOptions {
  /** Default: a random UUID. */
  readonly id?: string
  /** Where the session is kept. Default: in memory only. */
  readonly store?: SessionStore
}

export interface OpenSessionOptions extends SessionOptions {
  /** Names this writer in `session/owner`. Default: a random UUID. */
  readonly owner?: string
}

export interface ReplaySessionOptions extends SessionOptions {
  /** Default: a random UUID. */
  readonly id?: string
}

export type ForkSessionOptions = CreateSessionOptions

export declare function createSession(options?: CreateSessionOptions): Promise<Session>
export declare function openSession(
  store: SessionStore,
  id: string,
  options?: OpenSessionOptions,
): Promise<Session>
export declare function replaySession(
  events: readonly SessionEvent[],
  options?: ReplaySessionOptions,
): Session
export declare function forkSession(
  session: Session,
  seq: number,
  options?: ForkSessionOptions,
): Promise<Session>
