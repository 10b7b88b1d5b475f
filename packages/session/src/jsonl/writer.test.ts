import { readFileSync, unlinkSync, writeFileSync, appendFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { SessionEvent } from '../event.js'
import { jsonlStore } from '../jsonl.js'
import { faultyFiles, type Fault, type Operation } from './faulty-files.fixture.js'
import { machineFiles, type FileLayer } from './file-layer.js'
import { all, temporaryDirectory } from './jsonl.fixture.js'
import { chunks, events, header } from './sample-events.fixture.js'
import { storeOn, type JsonlStoreOptions } from './jsonl-store.js'

afterEach(() => void vi.useRealTimers())

/** A new session, the text of its file, and what its next operations will do. */
async function newLog(options: JsonlStoreOptions & { readonly files?: FileLayer } = {}) {
  const directory = temporaryDirectory()
  const faults: Partial<Record<Operation, Fault[]>> = {}
  const calls: Operation[] = []
  const files = faultyFiles(operation => {
    calls.push(operation)
    return faults[operation]?.shift()
  })
  const log = await storeOn(options.files ?? files, directory, options).create(header)
  calls.length = 0
  const path = join(directory, 's.jsonl')
  const text = () => readFileSync(path, 'utf8')
  const seqs = async () => (await all(jsonlStore(directory).read('s'))).map(event => event.seq)
  return { directory, path, log, faults, calls, text, seqs }
}

function append(log: { append(events: readonly SessionEvent[]): void }, list: readonly SessionEvent[]) {
  for (const event of list) log.append([event])
}

describe('buffering', () => {
  it('brings events to the operating system after 100 ms, not before', async () => {
    const { log, text } = await newLog()
    vi.useFakeTimers()
    append(log, events(0, 2))
    vi.advanceTimersByTime(60)
    append(log, events(2, 1))
    vi.advanceTimersByTime(39)
    expect(text()).not.toContain('call_0')
    vi.advanceTimersByTime(1)
    expect(text()).toContain('call_2')
    vi.useRealTimers()
    await log.close()
  })

  it('lets chunks wait for a second, and an event that follows takes them along', async () => {
    const { log, text } = await newLog()
    vi.useFakeTimers()
    append(log, chunks(0, 3))
    vi.advanceTimersByTime(999)
    expect(text()).not.toContain('chunks')
    vi.advanceTimersByTime(1)
    expect(text()).toContain('"len":[4,4,4]')
    append(log, chunks(3, 2))
    append(log, events(5, 1))
    vi.advanceTimersByTime(100)
    expect(text()).toContain('"len":[4,4],')
    expect(text()).toContain('call_5')
    vi.useRealTimers()
    await log.close()
  })

  it('writes at once what fills 64 KB', async () => {
    const { log, text } = await newLog()
    append(log, chunks(0, 10, 'x'.repeat(6000)))
    expect(text()).not.toContain('chunks')
    append(log, chunks(10, 1, 'x'.repeat(6000)))
    expect(text()).toContain('chunks')
    await log.close()
  })

  it('names the last seq that was fsynced in every record', async () => {
    const { log, text } = await newLog()
    for (let seq = 0; seq < 3; seq++) {
      append(log, events(seq, 1))
      await log.flush()
    }
    await log.close()
    const synced = text().trimEnd().split('\n').slice(1)
    expect(synced.map(line => (JSON.parse(line) as { synced: number }).synced)).toEqual([-1, 0, 1, 2])
  })
})

describe('group commit', () => {
  it('gives those who flush in one tick one fsync, and those who come while it runs the next', async () => {
    const { log, calls } = await newLog()
    const flushes: Promise<void>[] = []
    for (let seq = 0; seq < 10; seq++) {
      append(log, events(seq, 1))
      flushes.push(log.flush())
    }
    await Promise.resolve()
    await Promise.resolve()
    expect(calls).toEqual(['write', 'sync'])
    for (let seq = 10; seq < 20; seq++) {
      append(log, events(seq, 1))
      flushes.push(log.flush())
    }
    await Promise.all(flushes)
    expect(calls.filter(call => call === 'sync')).toHaveLength(2)
    await log.close()
  })

  it('makes nobody wait who has nothing to wait for', async () => {
    const { log, calls } = await newLog()
    append(log, events(0, 1))
    await log.flush()
    calls.length = 0
    await log.flush()
    expect(calls).toEqual([])
    await log.close()
  })

  it('resolves no flush before the fsync that follows its write', async () => {
    let finish: (() => void) | undefined
    let started = false
    const { log } = await newLog({
      files: {
        ...machineFiles,
        sync: async file => {
          await machineFiles.sync(file)
          if (started) await new Promise<void>(resolve => (finish = resolve))
        },
      },
    })
    append(log, events(0, 1))
    started = true
    const order: string[] = []
    const first = log.flush().then(() => order.push('first'))
    await vi.waitFor(() => expect(finish).toBeDefined())
    append(log, events(1, 1))
    const second = log.flush().then(() => order.push('second'))
    order.push('released')
    started = false
    finish?.()
    await Promise.all([first, second])
    expect(order).toEqual(['released', 'first', 'second'])
    await log.close()
  })
})

it('what is appended and written while an fsync runs counts as fsynced by the next one only', async () => {
  let during: (() => void) | undefined
  let failing = false
  const { log, text, seqs } = await newLog({
    files: {
      ...machineFiles,
      sync: async file => {
        during?.()
        if (failing) throw new Error('EIO')
        await machineFiles.sync(file)
      },
    },
  })
  append(log, events(0, 1))
  // More than the buffer takes: it is written at once. The event after it waits.
  during = () => {
    during = undefined
    append(log, chunks(1, 12, 'x'.repeat(6000)))
    append(log, events(13, 1))
  }
  await log.flush()
  expect(text()).toContain('"len":[6000,')
  expect(text()).not.toContain('call_13')
  failing = true
  await expect(log.flush()).rejects.toThrow('EIO')
  failing = false
  await log.flush()
  expect(await seqs()).toEqual(range(14))
  await log.close()
})

describe('fsync without anybody asking', () => {
  const large: SessionEvent = {
    seq: 0,
    time: 0,
    type: 'tool/dispatch',
    data: { callId: 'x'.repeat(4 * 1024 * 1024) },
  }

  it.each(['disk', 'os'] as const)('comes at 4 MB (%s)', async durability => {
    const { log, calls } = await newLog({ durability })
    log.append([large])
    await vi.waitFor(() => expect(calls).toContain('sync'))
    await log.close()
  })

  it("never comes with durability 'os' before that, but at close", async () => {
    const { log, calls, text } = await newLog({ durability: 'os' })
    append(log, events(0, 3))
    await log.flush()
    expect(text()).toContain('call_2')
    expect(calls).toEqual(['write'])
    await log.close()
    expect(calls.slice(0, 2)).toEqual(['write', 'sync'])
    expect(text()).toContain('{"mark":1,"synced":2,')
  })
})

describe('a device that fails', () => {
  it.each<[string, Partial<Record<Operation, Fault[]>>]>([
    ['a full disk', { write: [{ code: 'ENOSPC' }] }],
    ['a full disk that took a part', { write: [{ code: 'ENOSPC', bytes: 30 }] }],
    ['a short write', { write: [{ code: 'SHORT', bytes: 17 }] }],
    ['a broken device', { write: [{ code: 'EIO', bytes: 1 }] }],
    ['a failed fsync', { sync: [{ code: 'EIO' }] }],
    [
      'a part that cannot be cut at first',
      { write: [{ code: 'EIO', bytes: 9 }], truncate: [{ code: 'EIO' }] },
    ],
    ['a failed fsync that cannot be cut at first', { sync: [{ code: 'EIO' }], truncate: [{ code: 'EIO' }] }],
  ])('tells whoever flushes, drops nothing, and writes the same bytes later: %s', async (_, plan) => {
    const clean = await newLog()
    const { log, faults, text } = await newLog()
    for (const each of [clean.log, log]) {
      append(each, events(0, 2))
      await each.flush()
      append(each, chunks(2, 3))
      append(each, events(5, 1))
    }
    Object.assign(faults, plan)
    await expect(log.flush()).rejects.toMatchObject({ code: 'SESSION_STORE_FAILED' })
    await clean.log.flush()
    append(log, events(6, 1))
    append(clean.log, events(6, 1))
    await log.flush()
    await clean.log.flush()
    const body = (whole: string) => whole.replaceAll(/"synced":5/g, '"synced":1')
    expect(body(text()).replaceAll(/"crc":"\w+"/g, '')).toBe(
      body(clean.text()).replaceAll(/"crc":"\w+"/g, ''),
    )
    await log.close()
    await clean.log.close()
  })

  it('writes nothing while the part it left cannot be cut', async () => {
    const { log, faults, text, seqs } = await newLog()
    append(log, events(0, 1))
    faults.write = [{ code: 'EIO', bytes: 20 }]
    faults.truncate = [1, 2, 3].map(() => ({ code: 'EIO' }))
    await expect(log.flush()).rejects.toThrow('EIO')
    const left = text()
    await expect(log.flush()).rejects.toThrow('EIO')
    await expect(log.flush()).rejects.toThrow('EIO')
    expect(text()).toBe(left)
    await log.flush()
    expect(await seqs()).toEqual([0])
    await log.close()
  })

  it('cuts nothing that another process appended meanwhile', async () => {
    const { log, faults, text, path } = await newLog()
    append(log, events(0, 1))
    faults.write = [{ code: 'EIO', bytes: 20 }]
    faults.truncate = [{ code: 'EIO' }]
    await expect(log.flush()).rejects.toThrow('EIO')
    appendFileSync(path, 'x'.repeat(500))
    const left = text()
    await expect(log.flush()).rejects.toMatchObject({ code: 'SESSION_CONFLICT' })
    expect(text()).toBe(left)
    await expect(log.close()).rejects.toMatchObject({ code: 'SESSION_CONFLICT' })
  })

  it('that fails to fsync in the background gives back at once what it cut, and keeps at it', async () => {
    const { log, faults, calls, text } = await newLog({ durability: 'os' })
    append(log, events(0, 1))
    await log.flush()
    faults.sync = [{ code: 'EIO' }]
    const [large] = events(1, 1)
    if (!large) throw new Error('no event')
    log.append([{ ...large, type: 'tool/dispatch', data: { callId: 'x'.repeat(4 * 1024 * 1024) } }])
    await vi.waitFor(() => expect(calls.filter(call => call === 'sync')).toHaveLength(2))
    expect(calls.slice(0, 6)).toEqual(['write', 'write', 'sync', 'truncate', 'write', 'sync'])
    expect(text()).toContain('call_0')
    await log.close()
  })

  it('is tried again by itself', async () => {
    const { log, faults, text } = await newLog()
    vi.useFakeTimers()
    faults.write = [{ code: 'ENOSPC' }, { code: 'ENOSPC' }]
    append(log, events(0, 1))
    vi.advanceTimersByTime(1100)
    expect(text()).not.toContain('call_0')
    vi.advanceTimersByTime(1000)
    expect(text()).toContain('call_0')
    vi.useRealTimers()
    await log.close()
  })

  it('keeps the log open when close cannot write, so that closing again can', async () => {
    const { log, faults, seqs, directory } = await newLog()
    append(log, events(0, 1))
    faults.write = [{ code: 'ENOSPC' }]
    await expect(log.close()).rejects.toMatchObject({ code: 'SESSION_STORE_FAILED' })
    await expect(jsonlStore(directory).open('s')).rejects.toMatchObject({ code: 'SESSION_LOCKED' })
    append(log, events(1, 1))
    await log.close()
    expect(await seqs()).toEqual([0, 1])
  })

  it('closes in peace when only the mark cannot be written', async () => {
    const { log, faults, seqs, directory } = await newLog()
    append(log, events(0, 1))
    await log.flush()
    faults.write = [{ code: 'ENOSPC', bytes: 5 }]
    await log.close()
    expect(await seqs()).toEqual([0])
    const opened = await jsonlStore(directory).open('s')
    expect(opened.recovered).toBeUndefined()
    await opened.log.close()
  })

  it('loses nothing that was flushed, and nothing in order, whatever fails when', async () => {
    const fault = fc.record({
      code: fc.constantFrom('ENOSPC', 'EIO', 'SHORT'),
      bytes: fc.nat({ max: 150 }),
    })
    const step = fc.oneof(
      fc.record({ append: fc.integer({ min: 1, max: 4 }), batch: fc.boolean() }),
      fc.record({ write: fault }),
      fc.record({ sync: fc.constant({ code: 'EIO' }) }),
      fc.record({ truncate: fc.constant({ code: 'EIO' }) }),
      fc.constant('flush' as const),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async steps => {
        const { log, faults, seqs } = await newLog()
        let next = 0
        let durable = 0
        for (const action of steps) {
          if (action === 'flush') {
            const flushed = await log.flush().then(
              () => true,
              () => false,
            )
            if (flushed) durable = next
            const held = await seqs().catch(() => undefined)
            if (held) expect(held.slice(0, durable)).toEqual(range(durable))
          } else if ('append' in action) {
            const list = events(next, action.append)
            if (action.batch) log.append(list)
            else append(log, list)
            next += action.append
          } else {
            for (const [operation, planned] of Object.entries(action)) {
              ;(faults[operation as Operation] ??= []).push(planned as Fault)
            }
          }
        }
        for (const operation of Object.keys(faults)) faults[operation as Operation] = []
        await log.close()
        expect(await seqs()).toEqual(range(next))
      }),
      { numRuns: 60 },
    )
  })
})

describe('another writer', () => {
  it.each<[string, (log: Awaited<ReturnType<typeof newLog>>) => void]>([
    ['appended to the file', ({ path }) => appendFileSync(path, 'x')],
    ['cut the file', ({ path, text }) => writeFileSync(path, text().slice(0, -1))],
    ['deleted the file', ({ path }) => unlinkSync(path)],
    [
      'put another file in its place',
      ({ path, text, directory }) => {
        writeFileSync(join(directory, 'other'), text())
        renameSync(join(directory, 'other'), path)
      },
    ],
    ['took the next lease', ({ directory }) => writeFileSync(join(directory, 's.lock-2'), '{}')],
    ['removed the lease', ({ directory }) => unlinkSync(join(directory, 's.lock-1'))],
    [
      'made the lease anew',
      ({ directory }) => {
        const lock = join(directory, 's.lock-1')
        const content = readFileSync(lock)
        unlinkSync(lock)
        // In case the inode is used again: the time tells.
        writeFileSync(lock, content)
      },
    ],
  ])('ends this one before it writes another byte: %s', async (_, intrude) => {
    const session = await newLog()
    const { log, calls } = session
    append(log, events(0, 1))
    await log.flush()
    intrude(session)
    append(log, events(1, 1))
    calls.length = 0
    await expect(log.flush()).rejects.toMatchObject({ code: 'SESSION_CONFLICT' })
    expect(calls).toEqual([])
    expect(() => log.append(events(2, 1))).toThrow(expect.objectContaining({ code: 'SESSION_CONFLICT' }))
    await expect(log.flush()).rejects.toMatchObject({ code: 'SESSION_CONFLICT' })
    await expect(log.close()).rejects.toMatchObject({ code: 'SESSION_CONFLICT' })
  })

  it.each(['disk', 'os'] as const)(
    'that came during the flush keeps it from resolving (%s)',
    async durability => {
      const directory = temporaryDirectory()
      let intrude: () => void = () => undefined
      const files: FileLayer = {
        ...machineFiles,
        write: (file, bytes) => {
          const written = machineFiles.write(file, bytes)
          if (durability === 'os') intrude()
          return written
        },
        sync: async file => {
          await machineFiles.sync(file)
          intrude()
        },
      }
      const log = await storeOn(files, directory, { durability }).create(header)
      append(log, events(0, 1))
      intrude = () => writeFileSync(join(directory, 's.lock-2'), '{}')
      await expect(log.flush()).rejects.toMatchObject({ code: 'SESSION_CONFLICT' })
      intrude = () => undefined
      await expect(log.close()).rejects.toMatchObject({ code: 'SESSION_CONFLICT' })
    },
  )

  it('is no reason for close to fail when everything was durable before it came', async () => {
    const { log, directory, seqs } = await newLog()
    append(log, events(0, 1))
    await log.flush()
    writeFileSync(join(directory, 's.lock-2'), '{}')
    await log.close()
    expect(await seqs()).toEqual([0])
  })
})

describe('what is no event', () => {
  it.each<[string, object, string]>([
    ['another seq', { seq: 1 }, 'SEQ_MISMATCH'],
    ['no time', { time: Number.NaN }, 'INVALID_EVENT'],
    ['no data', { data: undefined }, 'INVALID_EVENT'],
    ['no type', { type: 1 }, 'INVALID_EVENT'],
    ['data that JSON cannot hold', { data: { big: 1n } }, 'INVALID_EVENT'],
  ])('is refused, and leaves no trace: %s', async (_, change, code) => {
    const { log, seqs } = await newLog()
    const [event] = events(0, 1)
    const broken = { ...event, ...change } as SessionEvent
    expect(() => log.append([broken])).toThrow(expect.objectContaining({ code }))
    log.append(events(0, 1))
    await log.close()
    expect(await seqs()).toEqual([0])
  })
})

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index)
}
