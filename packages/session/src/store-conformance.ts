import { awkwardEvents, chunkRun } from './conformance-events.js'
import { assertEqual, assertRejects, assertThrows, collect } from './conformance-asserts.js'
import { createSession, openSession } from './create-session.js'
import type { SessionEvent } from './event.js'
import type { SessionStore } from './store.js'

/** One fresh, empty store, and the ways the suite may reach it. */
export interface StoreUnderTest {
  readonly store: SessionStore
  /** A second instance on the same data, as another process would make it. Default: the same instance. */
  readonly reopened?: () => SessionStore | Promise<SessionStore>
  readonly dispose?: () => void | Promise<void>
}

/** The two functions of a test framework that the suite needs: those of vitest, jest, mocha, `node:test` or `bun:test` fit. */
export interface TestApi {
  readonly describe: (name: string, body: () => void) => unknown
  readonly it: (name: string, body: () => Promise<void>) => unknown
}

type Case = (store: SessionStore, other: SessionStore) => Promise<void>

const header = { id: 's', createdAt: 1_700_000_000_000 }

/**
 * The conformance suite of {@link SessionStore}: registers its tests with `testApi`. `factory` makes a store for each
 * test, which is disposed of afterwards, failed or not.
 */
export function describeSessionStore(
  name: string,
  factory: () => StoreUnderTest | Promise<StoreUnderTest>,
  testApi: TestApi,
): void {
  testApi.describe(name, () => {
    for (const [title, run] of Object.entries(cases)) {
      testApi.it(title, async () => {
        const tested = await factory()
        try {
          await run(tested.store, (await tested.reopened?.()) ?? tested.store)
        } finally {
          await tested.dispose?.()
        }
      })
    }
  })
}

const cases: Readonly<Record<string, Case>> = {
  async 'a created session opens empty, with its header'(store, other) {
    await (await store.create(header)).close()
    const opened = await other.open('s')
    assertEqual(opened.header, header, 'header')
    assertEqual(opened.events, [], 'events')
    assertEqual(opened.recovered, undefined, 'recovered')
    await opened.log.close()
  },

  async 'every kind of event comes back as it was, one by one'(store, other) {
    const log = await store.create(header)
    for (const event of awkwardEvents()) log.append([event])
    await log.close()
    await assertHolds(other, awkwardEvents())
  },

  async 'every kind of event comes back as it was, in one batch'(store, other) {
    const log = await store.create(header)
    log.append(awkwardEvents())
    await log.close()
    await assertHolds(other, awkwardEvents())
  },

  async 'long runs of chunks come back as they were, in any batches'(store, other) {
    const log = await store.create(header)
    const events = chunkRun(0, 3000)
    for (let seq = 0, size = 1; seq < events.length; seq += size, size = (size * 7) % 61) {
      log.append(events.slice(seq, seq + size))
    }
    await log.close()
    await assertHolds(other, events)
  },

  async 'a reopened session goes on where it ended'(store, other) {
    const events = [...awkwardEvents()]
    let log = await store.create(header)
    log.append(events)
    await log.close()
    for (const current of [other, store, other]) {
      const opened = await current.open('s')
      assertEqual(opened.events, events, 'events')
      log = opened.log
      const more = chunkRun(events.length, 5)
      log.append(more)
      events.push(...more)
      await log.close()
    }
    await assertHolds(store, events)
  },

  async 'what is opened or read is not the inside of the store'(store) {
    const log = await store.create(header)
    log.append(awkwardEvents())
    await log.close()
    const opened = await store.open('s')
    const events = opened.events as SessionEvent[]
    try {
      events.splice(0, 3)
      ;(events[0] as { time: number }).time = 0
    } catch {
      // Frozen is as good as detached.
    }
    await opened.log.close()
    await assertHolds(store, awkwardEvents())
  },

  async 'an id that exists is refused, and what is there stays'(store, other) {
    const log = await store.create(header)
    log.append(chunkRun(0, 3))
    await assertRejects(() => store.create(header), 'SESSION_EXISTS')
    await log.close()
    await assertRejects(() => other.create({ ...header, createdAt: 1 }), 'SESSION_EXISTS')
    await assertHolds(store, chunkRun(0, 3))
  },

  async 'of two that create one id at once, one wins'(store, other) {
    const outcomes = await Promise.allSettled([store.create(header), other.create(header)])
    assertEqual(outcomes.map(outcome => outcome.status).sort(), ['fulfilled', 'rejected'], 'outcomes')
  },

  async 'a missing session is not found'(store) {
    await assertRejects(() => store.open('nobody'), 'SESSION_NOT_FOUND')
    await assertRejects(() => collect(store.read('nobody')), 'SESSION_NOT_FOUND')
    await assertRejects(() => store.open('nobody'), 'SESSION_NOT_FOUND')
    assertEqual(await collect(store.list()), [], 'list')
  },

  async 'an id that no path should hold is refused everywhere'(store) {
    for (const id of [
      '',
      '.',
      '..',
      '.hidden',
      'a/b',
      '../a',
      'a\\b',
      'a\u0000',
      'a b',
      'ä',
      'a:b',
      'x'.repeat(129),
    ]) {
      await assertRejects(() => store.create({ ...header, id }), 'INVALID_SESSION_ID')
      await assertRejects(() => store.open(id), 'INVALID_SESSION_ID')
      await assertRejects(() => collect(store.read(id)), 'INVALID_SESSION_ID')
    }
    assertEqual(await collect(store.list()), [], 'list')
  },

  async 'every id that is allowed works'(store, other) {
    for (const id of ['x'.repeat(128), 'a.b', '-', '_', 'A', '0', 'a.jsonl', 'con']) {
      const log = await store.create({ ...header, id })
      log.append(chunkRun(0, 2))
      await log.close()
      assertEqual(await collect(other.read(id)), chunkRun(0, 2), id)
    }
  },

  async 'a session has one writer, from create or open until close'(store, other) {
    const created = await store.create(header)
    await assertRejects(() => other.open('s'), 'SESSION_LOCKED')
    await created.close()
    const opened = await other.open('s')
    await assertRejects(() => store.open('s'), 'SESSION_LOCKED')
    await assertRejects(() => other.open('s'), 'SESSION_LOCKED')
    opened.log.append(chunkRun(0, 2))
    await opened.log.close()
    await assertHolds(store, chunkRun(0, 2))
  },

  async 'of two that open at once, one wins'(store, other) {
    await (await store.create(header)).close()
    const outcomes = await Promise.allSettled([store.open('s'), other.open('s')])
    assertEqual(outcomes.map(outcome => outcome.status).sort(), ['fulfilled', 'rejected'], 'outcomes')
    for (const outcome of outcomes) if (outcome.status === 'fulfilled') await outcome.value.log.close()
  },

  async 'a batch that does not continue the log is refused whole'(store, other) {
    const log = await store.create(header)
    log.append(chunkRun(0, 2))
    for (const batch of [chunkRun(3, 1), chunkRun(1, 1), [...chunkRun(2, 1), ...chunkRun(4, 1)]]) {
      assertThrows(() => log.append(batch))
    }
    log.append(chunkRun(2, 2))
    await log.close()
    await assertHolds(other, chunkRun(0, 4))
  },

  async 'an empty batch is nothing'(store, other) {
    const log = await store.create(header)
    log.append([])
    await log.close()
    await assertHolds(other, [])
  },

  async 'what was flushed is read beside the live writer, without a lease'(store, other) {
    const log = await store.create(header)
    log.append(awkwardEvents())
    await log.flush()
    assertEqual(await collect(other.read('s')), awkwardEvents(), 'read')
    await log.close()
  },

  async 'a reader beside a live writer sees a prefix of the log, whatever is appended meanwhile'(
    store,
    other,
  ) {
    const log = await store.create(header)
    const events = chunkRun(0, 400)
    log.append(events.slice(0, 200))
    await log.flush()
    const seen: SessionEvent[] = []
    for await (const event of other.read('s')) {
      seen.push(event)
      if (seen.length === 100) {
        log.append(events.slice(200))
        await log.flush()
      }
    }
    assertEqual(seen.length >= 200, true, 'reads at least what was flushed before it began')
    assertEqual(seen, events.slice(0, seen.length), 'read')
    await log.close()
  },

  async 'a reader may stop early'(store) {
    const log = await store.create(header)
    log.append(chunkRun(0, 100))
    await log.flush()
    for await (const event of store.read('s')) if (event.seq === 10) break
    log.append(chunkRun(100, 1))
    await log.close()
    await assertHolds(store, chunkRun(0, 101))
  },

  async 'many flushes at once all resolve, with nothing to write too'(store, other) {
    const log = await store.create(header)
    await log.flush()
    const flushes: Promise<void>[] = []
    for (let seq = 0; seq < 50; seq++) {
      log.append(chunkRun(0, 50).slice(seq, seq + 1))
      flushes.push(log.flush())
    }
    await Promise.all(flushes)
    assertEqual(await collect(other.read('s')), chunkRun(0, 50), 'read')
    await log.close()
  },

  async 'a closed log takes nothing more, and closes again in peace'(store, other) {
    const log = await store.create(header)
    log.append(chunkRun(0, 1))
    await Promise.all([log.close(), log.close()])
    await log.close()
    assertThrows(() => log.append(chunkRun(1, 1)))
    const opened = await other.open('s')
    await log.close()
    await assertRejects(() => store.open('s'), 'SESSION_LOCKED')
    await opened.log.close()
    await assertHolds(store, chunkRun(0, 1))
  },

  async 'sessions are listed, and do not mix'(store, other) {
    const ids = ['one', 'two', 'three']
    const logs = await Promise.all(ids.map(id => store.create({ ...header, id })))
    logs.forEach((log, index) => log.append(chunkRun(0, index + 1)))
    await Promise.all(logs.map(log => log.close()))
    const listed = await collect(other.list())
    assertEqual(listed.map(({ id }) => id).sort(), [...ids].sort(), 'ids')
    assertEqual(
      listed.every(({ createdAt }) => createdAt === header.createdAt),
      true,
      'createdAt',
    )
    for (const [index, id] of ids.entries())
      assertEqual(await collect(other.read(id)), chunkRun(0, index + 1), id)
  },

  async 'a session kept in the store derives the same when it is opened again'(store, other) {
    const session = await createSession({ store, id: 's', clock: () => 5 })
    session.append('turn/start', { turn: 0 })
    session.append('user/message', {
      message: {
        id: 'u',
        role: 'user',
        source: { kind: 'user' },
        content: [{ type: 'text', text: 'hello' }],
      },
    })
    session.append('request/header', { header: { config: { provider: 'p', model: 'm' } }, reason: 'initial' })
    session.append('turn/end', { turn: 0, reason: { kind: 'completed' } })
    await session.flush()
    await session.close()
    const opened = await openSession(other, 's', { clock: () => 6, owner: 'second' })
    assertEqual(opened.events.slice(0, -1), session.events, 'events')
    assertEqual(
      opened.events.at(-1),
      { seq: 4, time: 6, type: 'session/owner', data: { owner: 'second' } },
      'owner',
    )
    assertEqual(opened.deriveMessages(), session.deriveMessages(), 'messages')
    assertEqual(opened.requestHeader(), session.requestHeader(), 'request header')
    await opened.close()
  },
}

async function assertHolds(store: SessionStore, events: readonly SessionEvent[]): Promise<void> {
  assertEqual(await collect(store.read('s')), events, 'read')
  const opened = await store.open('s')
  assertEqual(opened.events, events, 'opened')
  await opened.log.close()
}
