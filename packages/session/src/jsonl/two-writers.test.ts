import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { jsonlStore } from '../jsonl.js'
import { buildProcess } from './built-process.fixture.js'
import { all, temporaryDirectory } from './jsonl.fixture.js'
import type { SharingNews, SharingOrders } from './sharing-process.fixture.js'

let built: Awaited<ReturnType<typeof buildProcess>>

beforeAll(async () => {
  built = await buildProcess('sharing-process.fixture.ts')
})

afterAll(() => rmSync(built.directory, { recursive: true, force: true }))

const count = 10_000

/** One process that shares a session with another, and what is known of it. */
class Sharer {
  readonly process: ChildProcess
  readonly ended: Promise<unknown>
  readonly refusals = new Set<string>()
  durable = 0

  constructor(orders: SharingOrders, onNews: (news: SharingNews) => void = () => undefined) {
    this.process = fork(built.file, [JSON.stringify(orders)])
    onTestFinished(() => void this.process.kill('SIGKILL'))
    this.ended = once(this.process, 'exit')
    this.process.on('message', (news: SharingNews) => {
      if ('refused' in news) this.refusals.add(news.refused)
      if ('durable' in news) this.durable = news.durable
      onNews(news)
    })
  }
}

it(
  'two processes that append 10 000 events each, one of them killed while it holds the lease, share one log',
  { timeout: 120_000 },
  async () => {
    const directory = temporaryDirectory()
    await (await jsonlStore(directory).create({ id: 's', createdAt: 1 })).close()

    const other = new Sharer({ directory, name: 'other', count })
    // Killed in the middle of a lease: it has written some of its events, and will not get to closing.
    const victim = new Sharer({ directory, name: 'mine', count }, news => {
      if ('durable' in news && news.durable === 3400) victim.process.kill('SIGKILL')
    })
    expect(await victim.ended).toEqual([null, 'SIGKILL'])
    const next = new Sharer({ directory, name: 'mine', count })
    expect(await Promise.all([other.ended, next.ended])).toEqual([
      [0, null],
      [0, null],
    ])

    // The signal takes its time, so the victim may have got a little further.
    expect(victim.durable).toBeGreaterThanOrEqual(3400)
    expect(victim.durable).toBeLessThan(count)
    // They did meet, and whoever came second was told so.
    expect([...other.refusals]).toEqual(['SESSION_LOCKED'])
    expect([...new Set([...victim.refusals, ...next.refusals])]).toEqual(['SESSION_LOCKED'])
    const events = await all(jsonlStore(directory).read('s'))
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 2 * count }, (_, seq) => seq))
    for (const name of ['mine', 'other']) {
      const own = events.flatMap(({ type, data }) =>
        type === 'tool/dispatch' && data.callId.startsWith(`${name}_`) ? [data.callId] : [],
      )
      expect(own).toEqual(Array.from({ length: count }, (_, index) => `${name}_${index}`))
    }
  },
)
