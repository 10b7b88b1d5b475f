import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { jsonlStore } from '../jsonl.js'
import { buildProcess } from './built-process.fixture.js'
import { all, temporaryDirectory } from './jsonl.fixture.js'
import { chunkEvent, dispatchEvent } from './sample-events.fixture.js'
import type { Answer, Command } from './writer-process.fixture.js'

/** Real processes: what files and sockets cannot show within one. */

let built: Awaited<ReturnType<typeof buildProcess>>

beforeAll(async () => {
  built = await buildProcess('writer-process.fixture.ts')
})

afterAll(() => rmSync(built.directory, { recursive: true, force: true }))

class Writer {
  readonly process: ChildProcess
  readonly #directory: string

  constructor(directory: string) {
    this.#directory = directory
    this.process = fork(built.file)
    onTestFinished(() => void this.process.kill('SIGKILL'))
  }

  async do(name: Command['name']): Promise<Answer> {
    this.process.send({ name, directory: this.#directory })
    return this.answer()
  }

  async answer(): Promise<Answer> {
    const [answer] = (await once(this.process, 'message')) as [Answer]
    return answer
  }

  async kill(): Promise<void> {
    const gone = once(this.process, 'exit')
    this.process.kill('SIGKILL')
    await gone
  }
}

/** The events of {@link Writer}, up to `count`. */
function written(count: number) {
  return Array.from({ length: count }, (_, seq) =>
    seq % 3 === 0 || isSecondOfBatch(seq) ? dispatchEvent(seq) : chunkEvent(seq, 'tok '),
  )
}

function isSecondOfBatch(seq: number): boolean {
  return seq % 7 === 1
}

describe('a holder that is killed', () => {
  it('leaves the lease to the next opener at once', async () => {
    const directory = temporaryDirectory()
    const holder = new Writer(directory)
    expect(await holder.do('create')).toEqual({ durable: 0 })
    expect(await holder.do('append')).toEqual({ durable: 2 })
    const store = jsonlStore(directory)
    const opening = store.open('s')
    await expect(opening).rejects.toMatchObject({ code: 'SESSION_LOCKED' })
    await expect(opening).rejects.toThrow(`process ${holder.process.pid ?? 0} on`)
    await holder.kill()
    const { events, log } = await store.open('s')
    expect(events).toEqual(written(2))
    await log.close()
  })

  it('loses nothing it was told is durable, killed again and again while it writes', async () => {
    const directory = temporaryDirectory()
    const store = jsonlStore(directory)
    await (await store.create({ id: 's', createdAt: 1 })).close()
    let durable = 0
    for (let round = 0; round < 6; round++) {
      const writer = new Writer(directory)
      await writer.do('open')
      writer.process.on('message', (answer: Answer) => {
        if ('durable' in answer) durable = answer.durable
      })
      await writer.do('write')
      for (let count = 0; count < round * 5; count++) await writer.answer()
      await writer.kill()
      const { events, recovered, log } = await store.open('s')
      expect(events.length).toBeGreaterThanOrEqual(durable)
      expect(events).toEqual(
        events.map(({ type }, seq) =>
          type === 'tool/dispatch' ? dispatchEvent(seq) : chunkEvent(seq, 'tok '),
        ),
      )
      expect(recovered?.lostTail).toBeUndefined()
      await log.close()
    }
  })
})

describe('a holder that is paused', () => {
  it('is alive: nobody takes its lease, and it goes on when it wakes', async () => {
    const directory = temporaryDirectory()
    const holder = new Writer(directory)
    await holder.do('create')
    holder.process.kill('SIGSTOP')
    const store = jsonlStore(directory)
    // More askers than its socket has places for.
    const asked = await Promise.allSettled(Array.from({ length: 600 }, () => store.open('s')))
    expect(new Set(asked.map(({ status }) => status))).toEqual(new Set(['rejected']))
    await expect(store.open('s')).rejects.toMatchObject({ code: 'SESSION_LOCKED' })
    holder.process.kill('SIGCONT')
    expect(await holder.do('append')).toEqual({ durable: 2 })
  })

  it('and forced aside finds that out before it writes another byte', async () => {
    const directory = temporaryDirectory()
    const holder = new Writer(directory)
    await holder.do('create')
    await holder.do('append')
    const before = readFileSync(join(directory, 's.jsonl'))
    holder.process.kill('SIGSTOP')
    const store = jsonlStore(directory)
    const { events, log } = await store.open('s', { force: true })
    expect(events).toEqual(written(2))
    log.append([dispatchEvent(2)])
    await log.flush()
    holder.process.kill('SIGCONT')
    expect(await holder.do('append')).toEqual({ code: 'SESSION_CONFLICT' })
    expect(readFileSync(join(directory, 's.jsonl')).equals(before)).toBe(true)
    await log.close()
    expect(await all(store.read('s'))).toEqual([...written(2), dispatchEvent(2)])
  })
})

describe('processes that race', () => {
  it('for a lease leave one winner each time, also after a kill', async () => {
    const directory = temporaryDirectory()
    await (await jsonlStore(directory).create({ id: 's', createdAt: 1 })).close()
    const writers = Array.from({ length: 5 }, () => new Writer(directory))
    let durable = 0
    while (writers.length > 1) {
      const answers = await Promise.all(writers.map(writer => writer.do('open')))
      const winners = writers.filter((_, index) => 'durable' in (answers[index] ?? {}))
      expect(winners).toHaveLength(1)
      expect(answers.filter(answer => 'code' in answer && answer.code === 'SESSION_LOCKED')).toHaveLength(
        writers.length - 1,
      )
      const [winner] = winners
      if (!winner) throw new Error('no winner')
      const answer = await winner.do('append')
      expect(answer).toMatchObject({ durable: expect.any(Number) as unknown })
      if ('durable' in answer) durable = answer.durable
      await winner.kill()
      writers.splice(writers.indexOf(winner), 1)
    }
    expect(await all(jsonlStore(directory).read('s'))).toHaveLength(durable)
  })

  it('to create one session leave one that did', async () => {
    const directory = temporaryDirectory()
    const writers = Array.from({ length: 4 }, () => new Writer(directory))
    const answers = await Promise.all(writers.map(writer => writer.do('create')))
    expect(answers.filter(answer => 'durable' in answer)).toHaveLength(1)
    expect(answers.filter(answer => 'code' in answer && answer.code === 'SESSION_EXISTS')).toHaveLength(3)
  })
})
