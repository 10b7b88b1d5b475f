import { describe, expect, it } from 'vitest'
import { asks, openStep, results, says, step, thrownBy } from '../test/conversation.js'
import {
  createSession,
  forkSession,
  memoryStore,
  openSession,
  replaySession,
  SessionClosedError,
  type EventDraft,
  type OpenedSession,
  type Session,
  type SessionEvent,
  type SessionStore,
} from './index.js'

const starts: EventDraft = { type: 'turn/start', data: { turn: 0 } }
const ends: EventDraft = { type: 'turn/end', data: { turn: 0, reason: { kind: 'completed' } } }

async function stored(store: SessionStore, drafts: readonly EventDraft[]): Promise<void> {
  const session = await createSession({ store, id: 's', clock: () => 1 })
  session.appendAll(drafts)
  await session.close()
}

/** A store whose `open` answers what `change` makes of it. */
function opening(store: SessionStore, change: (opened: OpenedSession) => OpenedSession): SessionStore {
  return { ...store, open: async id => change(await store.open(id)) }
}

describe('createSession', () => {
  it('makes an empty session with a header, in memory without a store', async () => {
    const session = await createSession({ id: 's', clock: () => 9 })
    expect(session.header).toEqual({ id: 's', createdAt: 9 })
    expect(session.id).toBe('s')
    expect(session.events).toEqual([])
    expect(session.recovered).toBeUndefined()
    await session.flush()
  })

  it('chooses an id nobody else has', async () => {
    const [one, two] = await Promise.all([createSession(), createSession()])
    expect(one.id).not.toBe(two.id)
    expect(one.id).toMatch(/^[0-9a-f-]{36}$/)
  })

  it.each([{}, { store: memoryStore() }])(
    'refuses an id that is no file name, store or not',
    async options => {
      await expect(createSession({ ...options, id: '../s' })).rejects.toMatchObject({
        code: 'INVALID_SESSION_ID',
      })
      expect(thrownBy(() => replaySession([], { id: '' }))).toMatchObject({ code: 'INVALID_SESSION_ID' })
    },
  )

  it('writes every batch to the store as one, and flushes through it', async () => {
    const store = memoryStore()
    const batches: number[][] = []
    let flushes = 0
    const session = await createSession({
      store: {
        ...store,
        create: async header => {
          const log = await store.create(header)
          return {
            ...log,
            append: events => {
              batches.push(events.map(({ seq }) => seq))
              log.append(events)
            },
            flush: async () => {
              flushes++
              await log.flush()
            },
          }
        },
      },
    })
    session.appendAll([])
    session.appendAll([starts, says('u')])
    session.appendAll([ends])
    await session.flush()
    expect(batches).toEqual([[0, 1], [2]])
    expect(flushes).toBe(1)
  })
})

it('a store cannot change the list of what is committed, nor can whoever appended it', async () => {
  const store = memoryStore()
  const session = await createSession({
    store: {
      ...store,
      create: async header => ({
        ...(await store.create(header)),
        append: events => void (events as SessionEvent[]).pop(),
      }),
    },
  })
  expect(() => session.appendAll([starts])).toThrow(TypeError)
  expect(session.events).toEqual([])
  const appended = (await createSession()).appendAll([starts])
  expect(Object.isFrozen(appended)).toBe(true)
})

describe('a store that fails', () => {
  it('keeps the event out of the log, and everything that was learnt from it', async () => {
    const store = memoryStore()
    const full = new Error('disk full')
    let failing = false
    const session = await createSession({
      store: {
        ...store,
        create: async header => {
          const log = await store.create(header)
          const append = (events: readonly SessionEvent[]) => {
            if (failing) throw full
            log.append(events)
          }
          return { ...log, append }
        },
      },
      id: 's',
    })
    session.appendAll([starts, { type: 'step/start', data: step }, asks('a', 'c')])
    const told: number[] = []
    session.subscribe(({ seq }) => void told.push(seq))
    failing = true
    expect(thrownBy(() => session.appendAll([results('c'), says('u')]))).toBe(full)
    expect(session.events).toHaveLength(3)
    expect(session.deriveMessages()).toHaveLength(1)
    failing = false
    session.appendAll([results('c'), says('u')])
    expect(told).toEqual([3, 4])
  })

  it.each([
    { how: 'rejects', fail: () => Promise.reject(new Error('disk full')) },
    {
      how: 'throws',
      fail: () => {
        throw new Error('disk full')
      },
    },
  ])('lets close be called again where it $how, and takes nothing meanwhile', async ({ fail }) => {
    const store = memoryStore()
    let failures = 1
    const session = await createSession({
      store: {
        ...store,
        create: async header => {
          const log = await store.create(header)
          const close = () => (failures-- > 0 ? fail() : log.close())
          return { ...log, close }
        },
      },
      id: 's',
    })
    await expect(session.close()).rejects.toThrow('disk full')
    expect(() => session.append('turn/start', { turn: 0 })).toThrow(SessionClosedError)
    await session.close()
    await (await openSession(store, 's')).close()
  })
})

describe('close', () => {
  it('refuses appends from that moment, gives the lease up, and can be repeated', async () => {
    const store = memoryStore()
    const session = await createSession({ store, id: 's' })
    session.appendAll([starts])
    const closing = session.close()
    expect(() => session.append('turn/end', { turn: 0, reason: { kind: 'completed' } })).toThrow(
      SessionClosedError,
    )
    await Promise.all([closing, session.close(), session.flush()])
    expect(session.events).toHaveLength(1)
    expect(session.deriveMessages()).toEqual([])
    await (await openSession(store, 's')).close()
  })
})

describe('openSession', () => {
  it('gives the history back and says who writes from here on', async () => {
    const store = memoryStore()
    await stored(store, [starts, says('u'), ends])
    const session = await openSession(store, 's', { clock: () => 5, owner: 'me' })
    expect(session.header).toEqual({ id: 's', createdAt: 1 })
    expect(session.events).toHaveLength(4)
    expect(session.events[3]).toEqual({ seq: 3, time: 5, type: 'session/owner', data: { owner: 'me' } })
    expect(session.deriveMessages().map(({ id }) => id)).toEqual(['u'])
    session.append('turn/start', { turn: 1 })
    await session.close()
    const again = await openSession(store, 's')
    expect(again.events).toHaveLength(6)
    expect(again.events[5]).toMatchObject({ type: 'session/owner' })
    await again.close()
  })

  it('says what recovery cut, and marks the owner where more than a crash tear is gone', async () => {
    const store = memoryStore()
    await stored(store, [starts])
    const tears = [
      { bytes: 7, movedTo: 's.torn-1' },
      { bytes: 9, lostTail: true as const },
    ]
    const owners: unknown[] = []
    for (const recovered of tears) {
      const session = await openSession(
        opening(store, opened => ({ ...opened, recovered })),
        's',
        { owner: 'me' },
      )
      expect(session.recovered).toEqual(recovered)
      owners.push(session.events.at(-1)?.data)
      await session.close()
    }
    expect(owners).toEqual([{ owner: 'me' }, { owner: 'me', lostTail: true }])
  })

  it.each([
    { fault: 'a gap', change: (events: SessionEvent[]) => events.slice(1), code: 'SEQ_MISMATCH' },
    {
      fault: 'a broken rule',
      change: (events: SessionEvent[]) =>
        events.map((e, seq) => ({ ...e, seq, type: 'turn/start', data: { turn: 0 } })),
      code: 'STEP_NOT_OPEN',
    },
    {
      fault: 'broken data',
      change: (events: SessionEvent[]) => events.map(e => ({ ...e, data: {} })),
      code: 'INVALID_EVENT',
    },
    {
      fault: 'a time that is none',
      change: (events: SessionEvent[]) => events.map(e => ({ ...e, time: 'x' })),
      code: 'INVALID_EVENT',
    },
    {
      fault: 'a type of a later version',
      change: (events: SessionEvent[]) => events.map(e => ({ ...e, type: 'turn/pause' })),
      code: 'UNKNOWN_EVENT_TYPE',
    },
    { fault: 'what is no event', change: () => [null], code: 'INVALID_EVENT' },
  ])('refuses a history with $fault, and gives the lease up', async ({ change, code }) => {
    const store = memoryStore()
    await stored(store, [starts, ends])
    const events = (opened: OpenedSession) => change([...opened.events]) as unknown as SessionEvent[]
    const broken = opening(store, opened => ({ ...opened, events: events(opened) }))
    await expect(openSession(broken, 's')).rejects.toMatchObject({ code })
    await (await openSession(store, 's')).close()
  })

  it('refuses a second writer', async () => {
    const store = memoryStore()
    const session = await createSession({ store, id: 's' })
    await expect(openSession(store, 's')).rejects.toMatchObject({ code: 'SESSION_LOCKED', sessionId: 's' })
    await session.close()
  })
})

describe('replaySession', () => {
  it('is the same log: events, seqs, times, messages', () => {
    const session = openStep(says('u'), asks('a', 'c'), results('c'))
    const replayed = replaySession(session.events, { id: 'copy' })
    expect(replayed.events).toEqual(session.events)
    expect(replayed.deriveMessages()).toEqual(session.deriveMessages())
    expect(replayed.id).toBe('copy')
  })

  it('knows what the history knows', () => {
    const replayed = replaySession(openStep(asks('a', 'c')).events)
    expect(thrownBy(() => replayed.appendAll([says('u')]))).toMatchObject({ code: 'SURFACE_CONFLICT' })
    replayed.appendAll([results('c')])
  })

  it('does not tell observers of the history, and lives apart from its source', () => {
    const session = openStep()
    const replayed = replaySession(session.events)
    const told: number[] = []
    replayed.subscribe(({ seq }) => void told.push(seq))
    replayed.appendAll([says('u')])
    expect(told).toEqual([2])
    expect(session.events).toHaveLength(2)
  })

  it('gives an event of a surface type its surfaceOp, where a file left it out', () => {
    const { surfaceOp: _, ...bare } = openStep(says('u')).events[2] ?? {}
    const replayed = replaySession([{ ...bare, seq: 0 } as SessionEvent])
    expect(replayed.events[0]?.surfaceOp).toBe('append')
  })
})

describe('forkSession', () => {
  const twoTurns = (): Session => {
    const session = openStep(says('u0'))
    session.append('step/end', step)
    session.appendAll([ends, { type: 'turn/start', data: { turn: 1 } }, says('u1')])
    session.append('turn/end', { turn: 1, reason: { kind: 'completed' } })
    return session
  }

  it('copies up to a turn boundary, says where the copy ends, and goes its own way', async () => {
    const session = twoTurns()
    const fork = await forkSession(session, 4, { id: 'fork', clock: () => 7 })
    expect(fork.events.slice(0, 5)).toEqual(session.events.slice(0, 5))
    expect(fork.events[5]).toEqual({ seq: 5, time: 7, type: 'session/end-seed', data: { from: 'test' } })
    expect(fork.deriveMessages().map(({ id }) => id)).toEqual(['u0'])
    fork.append('turn/start', { turn: 1 })
    expect(session.events).toHaveLength(8)
  })

  it('forks the whole, and nothing', async () => {
    expect((await forkSession(twoTurns(), 7)).deriveMessages()).toHaveLength(2)
    expect((await forkSession(twoTurns(), -1)).events.map(({ type }) => type)).toEqual(['session/end-seed'])
  })

  it('keeps the fork in a store, durable when it resolves', async () => {
    const store = memoryStore()
    const fork = await forkSession(twoTurns(), 4, { store, id: 'fork' })
    const read: SessionEvent[] = []
    for await (const event of store.read('fork')) read.push(event)
    expect(read).toEqual(fork.events)
    await fork.close()
    await (await openSession(store, 'fork')).close()
  })

  it.each([0, 1, 2, 3, 5, 6])('refuses to cut inside a turn: seq %i', async seq => {
    await expect(forkSession(twoTurns(), seq)).rejects.toMatchObject({ code: 'FORK_INSIDE_TURN' })
  })

  it.each([8, -2, 1.5, Number.NaN])('refuses what is no seq of the session: %d', async seq => {
    await expect(forkSession(twoTurns(), seq)).rejects.toMatchObject({ code: 'INVALID_FORK' })
  })

  it('knows the event types its source knew', async () => {
    const note = { type: 'plugin/note', data: 1 } as unknown as EventDraft
    const session = replaySession([], { eventTypes: ['plugin/note'] })
    session.appendAll([note])
    const fork = await forkSession(session, 0)
    fork.appendAll([note])
    expect(fork.events).toHaveLength(3)
  })
})

describe('a fork that its store refuses', () => {
  it.each(['append', 'flush'] as const)('gives the lease up when %s fails', async method => {
    const store = memoryStore()
    const failing: SessionStore = {
      ...store,
      create: async header => {
        const log = await store.create(header)
        const fail = (): never => {
          throw new Error('disk full')
        }
        return { ...log, [method]: fail }
      },
    }
    const fork = forkSession(replaySession([]), -1, { store: failing, id: 'fork' })
    await expect(fork).rejects.toThrow('disk full')
    await (await openSession(store, 'fork')).close()
  })
})
