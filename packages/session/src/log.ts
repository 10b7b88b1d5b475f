import { HarnessError } from '@agent-spine/schema'
import { DerivedMessages } from './derive.js'
import { EventRefusedError, SessionClosedError } from './errors.js'
import type {
  EventDraft,
  EventOptions,
  RequestHeader,
  SessionEvent,
  SessionEventMap,
  SessionEventType,
} from './event.js'
import { makeEvent, readDraft } from './make-event.js'
import { Observers } from './observers.js'
import { LogRules } from './rules.js'
import type { Session, SessionGuard, SessionObserver } from './session.js'
import type { RecoveredTail, SessionHeader, SessionLog } from './store.js'

/** What a session is made of. */
export interface LogParts {
  readonly header: SessionHeader
  readonly clock: () => number
  readonly eventTypes: ReadonlySet<string>
  readonly onObserverError: (error: unknown, event: SessionEvent) => void
  /** Events to begin with; the store holds them already. */
  readonly history: readonly SessionEvent[]
  /** Nobody else holds the history, which was just parsed. */
  readonly historyIsParsed?: boolean
  readonly store?: SessionLog
  readonly recovered?: RecoveredTail
}

/**
 * Owns: the order of an append.
 *
 * A1 Validate, let every guard look, hand to the store, commit, tell observers. Before the commit nothing is visible;
 *    a failure before it leaves no trace in the log or in what the log knows of it.
 * A2 All of a batch or nothing. Nothing else is appended between its validation and its commit.
 * A3 Observers run after the commit and outside of it: they may append, and cannot undo.
 */
export class EventLog implements Session {
  readonly header: SessionHeader
  readonly recovered?: RecoveredTail
  readonly events: readonly SessionEvent[]
  readonly eventTypes: ReadonlySet<string>
  readonly #events: SessionEvent[] = []
  readonly #clock: () => number
  readonly #rules = new LogRules()
  readonly #derived = new DerivedMessages()
  readonly #guards = new Set<{ readonly guard: SyncGuard }>()
  readonly #observers: Observers
  readonly #store: SessionLog | undefined
  #length = 0
  #requestHeader: RequestHeader | undefined
  #appending = false
  #closed = false
  #closing: Promise<void> | undefined

  constructor(parts: LogParts) {
    this.header = Object.freeze({ id: parts.header.id, createdAt: parts.header.createdAt })
    if (parts.recovered !== undefined) this.recovered = Object.freeze({ ...parts.recovered })
    this.eventTypes = parts.eventTypes
    this.events = this.#events
    this.#clock = parts.clock
    this.#store = parts.store
    this.#replay(parts.history, parts.historyIsParsed ?? false)
    this.#observers = new Observers(this.#length, parts.onObserverError)
  }

  get id(): string {
    return this.header.id
  }

  append<T extends SessionEventType>(
    type: T,
    data: SessionEventMap[T],
    options?: EventOptions,
  ): SessionEvent<T> {
    // The union of drafts cannot be told apart by a generic `type`; the shape table checks the pair at run time.
    // Spelt out: V8 takes a microsecond to add `type` and `data` to what was just spread.
    const draft = {
      type,
      data,
      surfaceOp: options?.surfaceOp,
      sourceEventSeqs: options?.sourceEventSeqs,
      closer: options?.closer,
      ignorable: options?.ignorable,
    } as unknown as EventDraft
    return this.#append([draft])[0] as SessionEvent<T>
  }

  appendAll(drafts: readonly EventDraft[]): readonly SessionEvent[] {
    return Object.freeze(this.#append(drafts))
  }

  deriveMessages() {
    return this.#derived.after(this.#events)
  }

  conversation() {
    return this.#derived.conversationAfter(this.#events)
  }

  requestHeader(): RequestHeader | undefined {
    return this.#requestHeader
  }

  subscribe(observer: SessionObserver): () => void {
    return this.#observers.subscribe(observer, this.#length)
  }

  guard(guard: SessionGuard): () => void {
    const entry = { guard }
    this.#guards.add(entry)
    return () => void this.#guards.delete(entry)
  }

  async flush(): Promise<void> {
    await (this.#closing ?? this.#store?.flush())
  }

  close(): Promise<void> {
    this.#closed = true
    this.#closing ??= this.#closeStore()
    return this.#closing
  }

  #closeStore(): Promise<void> {
    const closing = Promise.resolve(this.#store).then(store => store?.close())
    return closing.catch((error: unknown) => {
      // The store still holds what it could not write: closing again tries again.
      this.#closing = undefined
      throw error
    })
  }

  /** What it answers is the caller's own. Nobody else has seen it, so it is frozen only where it leaves the log. */
  #append(drafts: readonly EventDraft[]): SessionEvent[] {
    if (this.#closed) throw new SessionClosedError(this.id)
    if (this.#appending) throw reentered()
    this.#appending = true
    let batch: SessionEvent[]
    try {
      batch = this.#make(drafts)
      const rollback = this.#rules.admit(batch)
      try {
        if (this.#guards.size > 0 || this.#store !== undefined) this.#propose(Object.freeze([...batch]))
      } catch (error) {
        rollback()
        throw error
      }
      for (const event of batch) this.#commit(event)
    } finally {
      this.#appending = false
    }
    this.#observers.tell(this.#events)
    return batch
  }

  #propose(batch: readonly SessionEvent[]): void {
    for (const { guard } of this.#guards) callGuard(guard, batch, this)
    if (batch.length > 0) this.#store?.append(batch)
  }

  #make(drafts: readonly EventDraft[]): SessionEvent[] {
    if (this.#events.length !== this.#length) throw tampered(this.#length, this.#events.length)
    const now = this.#clock()
    const batch: SessionEvent[] = []
    for (const proposed of drafts) {
      const seq = this.#length + batch.length
      const draft = readDraft(proposed, seq)
      const time = draft.closer === true ? (draft.time ?? now) : now
      batch.push(makeEvent(draft, { seq, time }, { knownTypes: this.eventTypes }))
    }
    return batch
  }

  #replay(history: readonly SessionEvent[], isParsed: boolean): void {
    const terms = { knownTypes: this.eventTypes, isParsed }
    const batch = history.map((recorded, seq) => {
      readDraft(recorded, seq)
      if (recorded.seq !== seq) throw gap(recorded, seq)
      return makeEvent(recorded, recorded, terms)
    })
    this.#rules.admit(batch)
    for (const event of batch) this.#commit(event)
  }

  #commit(event: SessionEvent): void {
    this.#events.push(event)
    this.#length++
    if (event.type === 'request/header') this.#requestHeader = event.data.header
  }
}

/** A guard as it may really be: one that is an async function can veto nothing, and is caught by what it returns. */
type SyncGuard = (...seen: Parameters<SessionGuard>) => unknown

function callGuard(guard: SyncGuard, batch: readonly SessionEvent[], session: Session): void {
  const outcome = guard(batch, session)
  if (!(outcome instanceof Promise)) return
  outcome.catch(() => undefined)
  throw new HarnessError(
    'ASYNC_GUARD',
    'a guard must decide synchronously (found one that returns a promise): make it a plain function',
  )
}

function reentered(): HarnessError {
  return new HarnessError(
    'APPEND_REENTERED',
    'a guard, the clock, the store or a getter appended to the session while it was appending: append from an observer, or afterwards',
  )
}

function tampered(expected: number, found: number): HarnessError {
  return new HarnessError(
    'LOG_TAMPERED',
    `session.events must hold ${expected} events (found ${found}): it is a view of the log, change it by append only`,
  )
}

function gap(event: SessionEvent, expected: number): EventRefusedError {
  return new EventRefusedError(
    'SEQ_MISMATCH',
    `the log must continue with seq ${expected} (found ${String(event.seq)}): pass all events from seq 0, in order`,
    { seq: expected, type: event.type },
  )
}
