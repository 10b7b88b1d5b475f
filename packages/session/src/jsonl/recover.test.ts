import {
  appendFileSync,
  cpSync,
  existsSync,
  readFileSync,
  readdirSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSession, openSession } from '../index.js'
import { jsonlStore } from '../jsonl.js'
import { deathAt, faultyFiles } from './faulty-files.fixture.js'
import { machineFiles, type FileLayer } from './file-layer.js'
import { all, mutateFile, temporaryDirectory } from './jsonl.fixture.js'
import { chunks, events, header } from './sample-events.fixture.js'
import { storeOn } from './jsonl-store.js'

/** A closed session of `count` events, one a record, each fsynced. Without the mark that would vouch for the last. */
async function crashed(directory: string, count = 4): Promise<string> {
  const log = await jsonlStore(directory).create(header)
  for (const event of events(0, count)) {
    log.append([event])
    await log.flush()
  }
  await log.close()
  const path = join(directory, 's.jsonl')
  mutateFile(path, bytes => bytes.subarray(0, bytes.lastIndexOf('{"mark"')))
  return path
}

/** Breaks a byte of the last line. */
function breakLastLine(path: string): void {
  mutateFile(path, bytes => {
    bytes[bytes.length - 30] = 0x21
    return bytes
  })
}

/** The files as a machine finds them that is started again: no process lives, so no socket answers. */
function asFoundAfterDeath(directory: string): string {
  const found = temporaryDirectory()
  cpSync(directory, found, { recursive: true, filter: path => !basename(path).startsWith('.sock-') })
  return found
}

describe('a torn tail', () => {
  it('is moved aside, and writing goes on where it was cut', async () => {
    const directory = temporaryDirectory()
    const path = await crashed(directory)
    const whole = readFileSync(path)
    truncateSync(path, whole.length - 10)
    const torn = readFileSync(path).subarray(whole.lastIndexOf('{"seq":3'))
    const store = jsonlStore(directory)
    const opened = await store.open('s')
    expect(opened.events).toEqual(events(0, 3))
    expect(opened.recovered).toEqual({ bytes: torn.length, movedTo: 's.torn-1' })
    expect(readFileSync(join(directory, 's.torn-1')).equals(torn)).toBe(true)
    opened.log.append(chunks(3, 2))
    await opened.log.close()
    expect(await all(store.read('s'))).toEqual([...events(0, 3), ...chunks(3, 2)])
    const again = await store.open('s')
    expect(again.recovered).toBeUndefined()
    await again.log.close()
  })

  it('takes the next number when one was moved aside before', async () => {
    const directory = temporaryDirectory()
    const path = await crashed(directory)
    for (const number of [1, 2]) {
      appendFileSync(path, '{"seq":')
      const { recovered, log } = await jsonlStore(directory).open('s')
      expect(recovered).toEqual({ bytes: 7, movedTo: `s.torn-${number}` })
      await log.close()
    }
  })

  it('that ends with a newline, or holds NUL bytes, may have been reported as written', async () => {
    for (const wound of [breakLastLine, (path: string) => appendFileSync(path, Buffer.alloc(100))]) {
      const directory = temporaryDirectory()
      const path = await crashed(directory)
      wound(path)
      const { recovered, log } = await jsonlStore(directory).open('s')
      expect(recovered).toMatchObject({ movedTo: 's.torn-1', lostTail: true })
      await log.close()
    }
  })

  it('that lost events is told of by every open until a new writer has recorded it', async () => {
    const directory = temporaryDirectory()
    breakLastLine(await crashed(directory))
    const store = jsonlStore(directory)
    const first = await store.open('s')
    await first.log.close()
    const second = await store.open('s')
    expect(second.recovered).toEqual(first.recovered)
    expect(second.recovered).toMatchObject({ lostTail: true })
    second.log.append(events(3, 1))
    await second.log.flush()
    expect(existsSync(join(directory, 's.lost-tail'))).toBe(false)
    await second.log.close()
    const third = await store.open('s')
    expect(third.recovered).toBeUndefined()
    await third.log.close()
  })

  it('is recorded by the session that opens it', async () => {
    const directory = temporaryDirectory()
    const store = jsonlStore(directory)
    const created = await createSession({ store, id: 's' })
    created.append('turn/start', { turn: 0 })
    await created.close()
    mutateFile(join(directory, 's.jsonl'), bytes => bytes.subarray(0, bytes.lastIndexOf('{"mark"')))
    breakLastLine(join(directory, 's.jsonl'))
    const opened = await openSession(store, 's')
    expect(opened.events.at(-1)).toMatchObject({ type: 'session/owner', data: { lostTail: true } })
    await opened.close()
  })

  it('ends what a reader sees when a crash tore it, and is reported to the reader when not', async () => {
    const directory = temporaryDirectory()
    const path = await crashed(directory)
    const store = jsonlStore(directory)
    const seen: number[] = []
    const read = async () => {
      seen.length = 0
      for await (const { seq } of store.read('s')) seen.push(seq)
    }
    appendFileSync(path, '{"seq":4,"ti')
    await read()
    expect(seen).toEqual([0, 1, 2, 3])
    appendFileSync(path, '\n')
    await expect(read()).rejects.toMatchObject({ code: 'SESSION_CORRUPT', line: 6, goodEvents: 4 })
    expect(seen).toEqual([0, 1, 2, 3])
  })
})

it('a missing newline after a good record is completed', async () => {
  const directory = temporaryDirectory()
  const path = await crashed(directory)
  const whole = readFileSync(path)
  truncateSync(path, whole.length - 1)
  const store = jsonlStore(directory)
  expect(await all(store.read('s'))).toEqual(events(0, 4))
  const opened = await store.open('s')
  expect(opened.recovered).toBeUndefined()
  expect(readFileSync(path).equals(whole)).toBe(true)
  opened.log.append(events(4, 1))
  await opened.log.close()
  expect(await all(store.read('s'))).toEqual(events(0, 5))
})

it('a log that grows or goes away while it is opened is left alone', async () => {
  for (const change of [(path: string) => appendFileSync(path, 'x'), unlinkSync]) {
    const directory = temporaryDirectory()
    const path = await crashed(directory)
    const files: FileLayer = {
      ...machineFiles,
      open: (name, use) => {
        if (use === 'append') change(path)
        return machineFiles.open(name, use)
      },
    }
    const size = readFileSync(path).length
    await expect(storeOn(files, directory).open('s')).rejects.toMatchObject({
      code: expect.stringMatching(/SESSION_(CONFLICT|STORE_FAILED)/) as unknown,
    })
    expect(existsSync(path) ? readFileSync(path).length : 'gone').toBe(
      change === unlinkSync ? 'gone' : size + 1,
    )
  }
})

describe('a corrupt log', () => {
  it('is refused with file, line, byte and what is good, and nothing of it is changed', async () => {
    const directory = temporaryDirectory()
    const path = await crashed(directory)
    mutateFile(path, bytes => {
      bytes[bytes.indexOf('call_1')] = 0x21
      return bytes
    })
    const before = readFileSync(path)
    const store = jsonlStore(directory)
    const expected = {
      code: 'SESSION_CORRUPT',
      file: path,
      line: 3,
      offset: before.indexOf('{"seq":1'),
      goodEvents: 1,
      message: expect.stringContaining('seq 0 to 0 are good') as unknown,
    }
    await expect(store.open('s')).rejects.toMatchObject(expected)
    await expect(all(store.read('s'))).rejects.toMatchObject(expected)
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(readdirSync(directory).filter(name => name.includes('torn'))).toEqual([])
    // Refused, not locked.
    await expect(store.open('s')).rejects.toMatchObject({ code: 'SESSION_CORRUPT' })
  })
})

describe('a process that dies at any moment', () => {
  it('loses nothing that a flush reported as durable', async () => {
    for (let moment = 0, done = false; !done; moment++) {
      const directory = temporaryDirectory()
      const { plan, died } = deathAt(moment)
      const dying = { plan }
      const store = storeOn(
        faultyFiles((...step) => dying.plan(...step)),
        directory,
      )
      let created = false
      let durable = 0
      const log = await store.create(header).catch(() => undefined)
      try {
        created = log !== undefined
        for (const batch of [events(0, 1), chunks(1, 3), events(4, 2)]) {
          log?.append(batch)
          await log?.flush()
          if (log) durable += batch.length
        }
        await log?.close()
        done = !died()
      } catch {
        // Dead.
      }
      const found = asFoundAfterDeath(directory)
      dying.plan = () => undefined
      await log?.close()
      const opened = await jsonlStore(found)
        .open('s')
        .catch((error: unknown) => error)
      if (opened instanceof Error) {
        expect([moment, opened]).toMatchObject([moment, { code: 'SESSION_NOT_FOUND' }])
        expect(created).toBe(false)
        continue
      }
      const { events: kept, recovered, log: next } = opened as Awaited<ReturnType<typeof store.open>>
      expect(kept).toEqual([...events(0, 1), ...chunks(1, 3), ...events(4, 2)].slice(0, kept.length))
      expect([moment, kept.length >= durable]).toEqual([moment, true])
      expect(recovered?.lostTail).toBeUndefined()
      next.append(events(kept.length, 1))
      await next.close()
      expect(await all(jsonlStore(found).read('s'))).toHaveLength(kept.length + 1)
    }
  })

  it('while it recovers a log keeps the torn bytes, and the loss is told of until it is recorded', async () => {
    const origin = temporaryDirectory()
    const path = await crashed(origin)
    breakLastLine(path)
    const torn = readFileSync(path).subarray(readFileSync(path).lastIndexOf('{"seq":3'))
    for (let moment = 0, done = false; !done; moment++) {
      const directory = asFoundAfterDeath(origin)
      const { plan, died } = deathAt(moment)
      const dying = { plan }
      const store = storeOn(
        faultyFiles((...step) => dying.plan(...step)),
        directory,
      )
      let recorded = false
      const opened = await store.open('s').catch(() => undefined)
      try {
        opened?.log.append(events(3, 1))
        await opened?.log.flush()
        recorded = opened !== undefined
        done = !died()
      } catch {
        // Dead.
      }
      const found = asFoundAfterDeath(directory)
      dying.plan = () => undefined
      await opened?.log.close()
      const kept = readdirSync(found).filter(name => /torn|\.jsonl/.test(name))
      expect(kept.some(name => readFileSync(join(found, name)).includes(torn))).toBe(true)
      const { events: known, recovered, log } = await jsonlStore(found).open('s')
      expect(known.slice(0, 3)).toEqual(events(0, 3))
      if (known.length === 3) expect([moment, recovered]).toMatchObject([moment, { lostTail: true }])
      if (recorded) expect(known).toHaveLength(4)
      await log.close()
    }
  })
})

describe('a machine that loses power', () => {
  it('loses nothing that a flush reported as durable, whatever became of the bytes after the last fsync', async () => {
    const step = fc.oneof(
      fc.record({ append: fc.integer({ min: 1, max: 5 }), batch: fc.boolean() }),
      fc.constant('flush' as const),
      fc.constant('reopen' as const),
    )
    const loss = fc.record({
      keep: fc.nat({ max: 100 }),
      zeroFrom: fc.nat({ max: 100 }),
      zeroes: fc.nat({ max: 100 }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 15 }),
        loss,
        async (steps, { keep, zeroFrom, zeroes }) => {
          const directory = temporaryDirectory()
          const path = join(directory, 's.jsonl')
          let synced = 0
          const files: FileLayer = {
            ...machineFiles,
            sync: async file => {
              const size = machineFiles.facts(file).size
              const isLog = machineFiles.facts(file).identity === machineFiles.factsAt(path)?.identity
              await machineFiles.sync(file)
              if (isLog) synced = size
            },
          }
          const store = storeOn(files, directory)
          let log = await store.create(header)
          synced = machineFiles.factsAt(path)?.size ?? 0
          let next = 0
          let durable = 0
          for (const action of steps) {
            if (action === 'flush') {
              await log.flush()
              durable = next
            } else if (action === 'reopen') {
              await log.close()
              durable = next
              log = (await store.open('s')).log
            } else {
              const list = events(next, action.append)
              if (action.batch) log.append(list)
              else list.forEach(event => log.append([event]))
              next += action.append
            }
          }
          // Written, not fsynced.
          files.sync = () => Promise.reject(new Error('power'))
          await log.flush().catch(() => undefined)
          const found = asFoundAfterDeath(directory)
          mutateFile(join(found, 's.jsonl'), bytes => {
            const unsynced = bytes.length - synced
            const left = bytes.subarray(0, synced + Math.ceil((unsynced * keep) / 100))
            const start = synced + Math.ceil(((left.length - synced) * zeroFrom) / 100)
            return left.fill(0, start, Math.min(start + zeroes, left.length))
          })
          const opened = await jsonlStore(found).open('s')
          expect(opened.events).toEqual(events(0, opened.events.length))
          expect(opened.events.length).toBeGreaterThanOrEqual(durable)
          await opened.log.close()
          files.sync = file => machineFiles.sync(file)
          await log.close()
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('a forced takeover', () => {
  it('goes on in a new file, and leaves the old one to its writer, who can write no more', async () => {
    const directory = temporaryDirectory()
    const store = jsonlStore(directory)
    const stuck = await store.create(header)
    stuck.append(events(0, 3))
    await stuck.flush()
    appendFileSync(join(directory, 's.jsonl'), '{"seq":3,')
    const old = readFileSync(join(directory, 's.jsonl'))
    await expect(store.open('s')).rejects.toMatchObject({ code: 'SESSION_LOCKED' })
    const opened = await store.open('s', { force: true })
    expect(opened.events).toEqual(events(0, 3))
    expect(opened.recovered).toEqual({ bytes: 9, movedTo: 's.jsonl' })
    opened.log.append(events(3, 1))
    await opened.log.flush()
    stuck.append(events(3, 1))
    await expect(stuck.flush()).rejects.toMatchObject({ code: 'SESSION_CONFLICT' })
    await expect(stuck.close()).rejects.toMatchObject({ code: 'SESSION_CONFLICT' })
    expect(readFileSync(join(directory, 's.jsonl')).equals(old)).toBe(true)
    await opened.log.close()
    expect(await all(store.read('s'))).toEqual(events(0, 4))
    expect(await all(store.list())).toEqual([header])
    await expect(store.create(header)).rejects.toMatchObject({ code: 'SESSION_EXISTS' })
    const again = await store.open('s')
    expect(again.events).toEqual(events(0, 4))
    await again.log.close()
  })

  it('is an ordinary opening where nobody holds the session', async () => {
    const directory = temporaryDirectory()
    await crashed(directory)
    const { log } = await jsonlStore(directory).open('s', { force: true })
    await log.close()
    expect(readdirSync(directory).filter(name => name.endsWith('.jsonl'))).toEqual(['s.jsonl'])
  })
})

describe('salvage', () => {
  it('copies the good events to a new session, says what was lost, and has the new one remember it', async () => {
    const directory = temporaryDirectory()
    const path = await crashed(directory)
    mutateFile(path, bytes => {
      bytes[bytes.indexOf('call_2')] = 0x21
      return bytes
    })
    const before = readFileSync(path)
    const store = jsonlStore(directory)
    await expect(store.open('s')).rejects.toMatchObject({ code: 'SESSION_CORRUPT' })
    const salvaged = await store.salvage('s')
    expect(salvaged).toEqual({
      id: 's.salvaged-1',
      events: 2,
      lost: {
        bytes: before.length - before.indexOf('{"seq":2'),
        lines: 2,
        line: 4,
        offset: before.indexOf('{"seq":2'),
        found: 'a checksum that does not match',
        lastSeq: 3,
      },
    })
    expect(readFileSync(path).equals(before)).toBe(true)
    const opened = await store.open(salvaged.id)
    expect(opened.header).toEqual({ id: salvaged.id, createdAt: header.createdAt })
    expect(opened.events).toEqual(events(0, 2))
    expect(opened.recovered).toMatchObject({ lostTail: true, movedTo: 's.jsonl' })
    opened.log.append(events(2, 1))
    await opened.log.close()
    expect((await store.salvage('s')).id).toBe('s.salvaged-2')
  })

  it('saves every event when only a mark or the header is damaged', async () => {
    for (const part of ['"mark"', '"format"']) {
      const directory = temporaryDirectory()
      const store = jsonlStore(directory)
      const log = await store.create(header)
      log.append(events(0, 2))
      await log.close()
      const { log: second } = await store.open('s')
      second.append(events(2, 2))
      await second.close()
      mutateFile(join(directory, 's.jsonl'), bytes => {
        bytes[bytes.indexOf(part) + 1] = 0x21
        return bytes
      })
      await expect(store.open('s')).rejects.toMatchObject({ code: 'SESSION_CORRUPT' })
      const salvaged = await store.salvage('s')
      expect(salvaged).toMatchObject({ events: 4, lost: { lines: 1 } })
      expect(salvaged.lost).not.toHaveProperty('lastSeq')
      expect(await all(store.read(salvaged.id))).toEqual(events(0, 4))
    }
  })

  it('copies a good session whole, with an id that still fits', async () => {
    const directory = temporaryDirectory()
    const store = jsonlStore(directory)
    const id = 'i'.repeat(128)
    const log = await store.create({ id, createdAt: 1 })
    log.append(events(0, 2))
    await log.close()
    const salvaged = await store.salvage(id)
    expect(salvaged).toEqual({ id: `${'i'.repeat(117)}.salvaged-1`, events: 2 })
    expect(await all(store.read(salvaged.id))).toEqual(events(0, 2))
  })

  it('finds nothing where nothing is', async () => {
    await expect(jsonlStore(temporaryDirectory()).salvage('s')).rejects.toMatchObject({
      code: 'SESSION_NOT_FOUND',
    })
    await expect(jsonlStore(temporaryDirectory()).salvage('../s')).rejects.toMatchObject({
      code: 'INVALID_SESSION_ID',
    })
  })
})

it('a reader that meets a cut and rewritten end goes on with what was rewritten', async () => {
  const directory = temporaryDirectory()
  const path = await crashed(directory, 2)
  const whole = readFileSync(path)
  const start = whole.lastIndexOf('{"seq":1')
  let turned = false
  const files: FileLayer = {
    ...machineFiles,
    read: async (file, into, position) => {
      const count = await machineFiles.read(file, into, position)
      if (count === 0 && !turned) {
        turned = true
        writeFileSync(path, whole)
      }
      return count
    },
  }
  writeFileSync(path, Buffer.concat([whole.subarray(0, start), Buffer.from('half a record\n')]))
  expect(await all(storeOn(files, directory).read('s'))).toEqual(events(0, 2))
})
