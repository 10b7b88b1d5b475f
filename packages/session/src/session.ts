import type { Message } from '@agent-spine/model'
import type { Conversation } from './conversation.js'
import type {
  EventDraft,
  EventOptions,
  RequestHeader,
  SessionEvent,
  SessionEventMap,
  SessionEventType,
} from './event.js'
import type { RecoveredTail, SessionHeader } from './store.js'

/**
 * Sees every event committed after it subscribed, in order. What it throws is contained and goes to `onObserverError`. It
 * may append: its events follow the ones that wait to be told of already.
 */
export type SessionObserver = (event: SessionEvent) => void

/**
 * Sees a batch before it is committed, when nothing of it is in `session` yet. What it throws vetoes the whole batch and
 * reaches whoever appended. It must be synchronous and must not append.
 */
export type SessionGuard = (batch: readonly SessionEvent[], session: Session) => void

/** One conversation: an append-only log, and what it derives. */
export interface Session {
  readonly id: string
  readonly header: SessionHeader
  /** What recovery cut when this session was opened. */
  readonly recovered?: RecoveredTail
  /** The log: a live view, never a copy. */
  readonly events: readonly SessionEvent[]
  /** Appends one event. Synchronous, all or nothing. Throws `HarnessError` when the event would make the log untrue. */
  append<T extends SessionEventType>(
    type: T,
    data: SessionEventMap[T],
    options?: EventOptions,
  ): SessionEvent<T>
  /** Appends several events as one: all of them or none. */
  appendAll(drafts: readonly EventDraft[]): readonly SessionEvent[]
  /**
   * The conversation the surface stands for: frozen messages, shared with the log, in a frozen array, the same one until
   * something joins the surface. O(new events), plus one array copy where it changed.
   */
  deriveMessages(): readonly Message[]
  /**
   * The same conversation to look at, by position or in order: O(new events), however long it is. The same object until
   * something joins the surface.
   */
  conversation(): Conversation
  /** The latest request header. */
  requestHeader(): RequestHeader | undefined
  /** Returns a function that ends the subscription. */
  subscribe(observer: SessionObserver): () => void
  /** Returns a function that removes the guard. */
  guard(guard: SessionGuard): () => void
  /** Resolves once every event appended so far is durable. At once for a session without a store. */
  flush(): Promise<void>
  /** Flushes, gives up the store's lease, and refuses further appends. */
  close(): Promise<void>
}
