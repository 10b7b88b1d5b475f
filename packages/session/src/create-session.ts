import { HarnessError } from '@agent-spine/schema'
import type { SessionEvent } from './event.js'
import { EventLog, type LogParts } from './log.js'
import { isRefusal } from './refusal.js'
import type { Session } from './session.js'
import { assertSessionId } from './session-id.js'
import { nextScope, noScope } from './step-scope.js'
import type { SessionLog, SessionStore } from './store.js'

/** What every way to a session takes. */
export interface SessionOptions {
  /** Stamps events, in whole milliseconds since 1970. Default `Date.now`. */
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

/**
 * Makes an empty session, in `store` or in memory only. Throws `SessionExistsError`, `InvalidSessionIdError`, and what
 * the store throws.
 */
export async function createSession(options: CreateSessionOptions = {}): Promise<Session> {
  return startSession(options, [])
}

/**
 * Opens a stored session as its one writer: takes the lease, checks the whole history as if it were appended now, and
 * appends `session/owner`. Throws `SessionNotFoundError`, `SessionLockedError`, `EventRefusedError` for a history that
 * breaks the log's rules or needs a newer version, and what the store throws; the lease is given up then.
 */
export async function openSession(
  store: SessionStore,
  id: string,
  options: OpenSessionOptions = {},
): Promise<Session> {
  assertSessionId(id)
  const { header, events, log, recovered, isParsed = false } = await store.open(id)
  return usingLog(log, () => {
    const session = new EventLog({
      ...commonParts(options),
      header,
      history: events,
      historyIsParsed: isParsed,
      store: log,
      ...(recovered !== undefined && { recovered }),
    })
    const owner = options.owner ?? crypto.randomUUID()
    session.append('session/owner', { owner, ...(recovered?.lostTail === true && { lostTail: true }) })
    return session
  })
}

/**
 * A session in memory that begins with `events`, which are checked as if they were appended now and keep their seqs and
 * times. Throws `EventRefusedError`.
 */
export function replaySession(events: readonly SessionEvent[], options: ReplaySessionOptions = {}): Session {
  const parts = commonParts(options)
  return new EventLog({ ...parts, header: newHeader(options.id, parts.clock), history: events })
}

/**
 * A new session with the events of `session` up to and including `seq`, followed by `session/end-seed`. No turn may be
 * open after `seq`: pass the seq of a `turn/end`, or -1 for an empty start. Throws `FORK_INSIDE_TURN` otherwise.
 */
export async function forkSession(
  session: Session,
  seq: number,
  options: ForkSessionOptions = {},
): Promise<Session> {
  const history = session.events.slice(0, seq + 1)
  assertTurnBoundary(history, seq)
  const eventTypes = options.eventTypes ?? (session instanceof EventLog ? [...session.eventTypes] : [])
  const fork = await startSession({ ...options, eventTypes }, history)
  try {
    fork.append('session/end-seed', { from: session.id })
    await fork.flush()
    return fork
  } catch (error) {
    await fork.close().catch(() => undefined)
    throw error
  }
}

async function startSession(
  options: CreateSessionOptions,
  history: readonly SessionEvent[],
): Promise<Session> {
  const parts = commonParts(options)
  const header = newHeader(options.id, parts.clock)
  const log = await options.store?.create(header)
  if (log === undefined) return new EventLog({ ...parts, header, history })
  return usingLog(log, () => {
    const session = new EventLog({ ...parts, header, history, store: log })
    if (session.events.length > 0) log.append(session.events)
    return session
  })
}

/** Gives the lease up where `make` fails: what failed it is the news, whether or not the store also fails to let go. */
async function usingLog(log: SessionLog, make: () => Session): Promise<Session> {
  try {
    return make()
  } catch (error) {
    await log.close().catch(() => undefined)
    throw error
  }
}

function commonParts(options: SessionOptions): Pick<LogParts, 'clock' | 'eventTypes' | 'onObserverError'> {
  return {
    clock: options.clock ?? Date.now,
    eventTypes: new Set(options.eventTypes),
    onObserverError: options.onObserverError ?? reportObserverError,
  }
}

function newHeader(id: string | undefined, clock: () => number) {
  const chosen = id ?? crypto.randomUUID()
  assertSessionId(chosen)
  return { id: chosen, createdAt: clock() }
}

function reportObserverError(error: unknown, event: SessionEvent): void {
  console.error(`an observer failed on ${event.type} at seq ${event.seq}`, error)
}

function assertTurnBoundary(history: readonly SessionEvent[], seq: number): void {
  if (!Number.isInteger(seq) || history.length !== seq + 1) {
    throw new HarnessError(
      'INVALID_FORK',
      `a fork needs the seq of an event of the session, or -1 (found ${seq})`,
    )
  }
  let scope = noScope
  for (const event of history) {
    const next = nextScope(scope, event)
    if (!isRefusal(next)) scope = next
  }
  if (scope.turn === undefined) return
  throw new HarnessError(
    'FORK_INSIDE_TURN',
    `a fork needs a seq after which no turn is open (turn ${scope.turn.number} is open after seq ${seq}): pass the seq of a turn/end`,
  )
}
