/* eslint-disable @typescript-eslint/require-await -- the port is asynchronous, and what it throws must reject; memory is not */
import {
  SessionConflictError,
  SessionClosedError,
  SessionExistsError,
  SessionLockedError,
  SessionNotFoundError,
} from './errors.js'
import type { SessionEvent } from './event.js'
import { assertSessionId } from './session-id.js'
import type { OpenedSession, SessionHeader, SessionLog, SessionStore } from './store.js'

interface Stored {
  readonly header: SessionHeader
  readonly events: SessionEvent[]
  /** Who holds the writer lease. */
  writer: SessionLog | undefined
}

/**
 * A store in this process's memory: a real {@link SessionStore} with leases, for tests and for sessions that need not
 * outlive the process. Everything appended counts as durable at once.
 */
export function memoryStore(): SessionStore {
  const sessions = new Map<string, Stored>()

  function find(id: string): Stored {
    assertSessionId(id)
    const stored = sessions.get(id)
    if (stored === undefined) throw new SessionNotFoundError(id)
    return stored
  }

  return {
    async create(header) {
      assertSessionId(header.id)
      if (sessions.has(header.id)) throw new SessionExistsError(header.id)
      const stored: Stored = { header: Object.freeze({ ...header }), events: [], writer: undefined }
      sessions.set(header.id, stored)
      return takeLease(stored)
    },
    async open(id): Promise<OpenedSession> {
      const stored = find(id)
      if (stored.writer !== undefined) throw new SessionLockedError(id, 'another session of this process')
      return { header: stored.header, events: stored.events.slice(), log: takeLease(stored) }
    },
    async *read(id) {
      const { events } = find(id)
      const end = events.length
      for (let seq = 0; seq < end; seq++) yield events[seq] as SessionEvent
    },
    async *list() {
      for (const { header } of [...sessions.values()]) yield header
    },
  }
}

function takeLease(stored: Stored): SessionLog {
  const { header, events } = stored
  const log: SessionLog = {
    append(batch) {
      if (stored.writer !== log) throw new SessionClosedError(header.id)
      batch.forEach((event, index) => {
        const expected = events.length + index
        if (event.seq !== expected)
          throw new SessionConflictError(
            header.id,
            `it ends before seq ${expected}, and seq ${event.seq} was appended`,
          )
      })
      for (const event of batch) events.push(event)
    },
    async flush() {},
    async close() {
      if (stored.writer === log) stored.writer = undefined
    },
  }
  stored.writer = log
  return log
}
