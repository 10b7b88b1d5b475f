import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { awkwardEvents, chunkRun, coreTypes } from '../conformance-events.js'
import type { SessionEvent } from '../event.js'
import { jsonlStore } from '../jsonl.js'
import { machineFiles, type FileLayer } from './file-layer.js'
import { newDirectory } from './jsonl.fixture.js'
import { header } from './sample-events.fixture.js'
import { readLog } from './reader.js'

/** A line of the undamaged log, as this test reads it, with nothing of the reader under test. */
interface KnownLine {
  readonly start: number
  /** Behind the newline. */
  readonly end: number
  /** How many events come before it, and after it. */
  readonly before: number
  readonly after: number
  readonly synced: number
}

interface KnownPart {
  readonly seq?: number
  readonly len?: readonly number[]
}

interface KnownRecord extends KnownPart {
  readonly batch?: readonly KnownPart[]
  readonly synced?: number
}

let log: Buffer
let known: readonly SessionEvent[]
let lines: readonly KnownLine[]
/** The first so many events, as text. */
let prefixTexts: readonly string[]

/** A log with every kind of record, fsynced now and then, closed and opened again, so that marks lie within it. */
beforeAll(async () => {
  const directory = newDirectory()
  const store = jsonlStore(directory)
  const created = await store.create(header)
  // The largest ones would make this a test of patience.
  const small = awkwardEvents().filter(event => JSON.stringify(event).length < 600)
  const every = small.map((event, seq) => ({ ...event, seq }))
  for (const event of every) created.append([event])
  await created.flush()
  created.append(chunkRun(every.length, 8))
  await created.close()
  const first = await store.open('s')
  for (const event of chunkRun(first.events.length, 12)) first.log.append([event])
  await first.log.flush()
  first.log.append(chunkRun(first.events.length + 12, 2))
  await first.log.close()
  const second = await store.open('s')
  known = second.events
  await second.log.close()
  log = readFileSync(join(directory, 's.jsonl'))
  rmSync(directory, { recursive: true })
  lines = knownLines(log)
  prefixTexts = Array.from({ length: known.length + 1 }, (_, count) => JSON.stringify(known.slice(0, count)))
  expect(lines.at(-1)?.after).toBe(known.length)
})

it('the log that is cut and changed holds an event of every core type', () => {
  expect(new Set(coreTypes).size).toBeGreaterThan(0)
  expect(coreTypes.filter(type => known.every(event => event.type !== type))).toEqual([])
})

function knownLines(bytes: Buffer): readonly KnownLine[] {
  const found: KnownLine[] = []
  for (let start = 0, before = 0; start < bytes.length;) {
    const end = bytes.indexOf('\n', start) + 1
    const record = JSON.parse(bytes.toString('utf8', start, end)) as KnownRecord
    const count = (record.batch ?? [record]).reduce(
      (sum, part) => sum + (part.len?.length ?? Number('seq' in part)),
      0,
    )
    found.push({ start, end, before, after: before + count, synced: record.synced ?? -1 })
    start = end
    before += count
  }
  return found
}

async function scan(bytes: Buffer) {
  const copy = Buffer.from(bytes)
  const files: FileLayer = {
    ...machineFiles,
    open: () => 0,
    close: () => undefined,
    facts: () => ({ size: copy.length, links: 1, identity: '', modifiedAt: 0 }),
    read: (_, into, position) => Promise.resolve(copy.copy(into, 0, position)),
  }
  const { scan: done, events } = await readLog({ files, path: 's.jsonl', id: 's' })
  return { verdict: done.verdict(), events }
}

function expectPrefix(events: readonly SessionEvent[], count: number) {
  expect(events).toHaveLength(count)
  expect(JSON.stringify(events)).toBe(prefixTexts[count])
}

describe('a log cut at any byte', () => {
  it('is corrupt within its header, whole at the end of a record, and torn by a crash anywhere else', async () => {
    for (let length = 0; length <= log.length; length++) {
      const { verdict, events } = await scan(log.subarray(0, length))
      const line = lines.find(({ end }) => end >= length)
      if (!line) throw new Error('no line')
      const whole = length >= line.end - 1
      if (line === lines[0] && !whole) {
        expect([length, verdict]).toMatchObject([length, { kind: 'corrupt', damage: { line: 1, offset: 0 } }])
        continue
      }
      expectPrefix(events, whole ? line.after : line.before)
      expect([length, verdict]).toMatchObject([
        length,
        whole
          ? { kind: 'sound', newlineMissing: length === line.end - 1 }
          : length === line.start
            ? { kind: 'sound' }
            : { kind: 'torn', crashTear: true, damage: { offset: line.start } },
      ])
    }
  })
})

describe('a log with any byte changed', () => {
  it.each([0x01, 0x80])(
    'is refused, or cut where no fsync is known of and said to have lost events: ^%i',
    async mask => {
      for (let position = 0; position < log.length; position++) {
        const bytes = Buffer.from(log)
        bytes[position] = (bytes[position] ?? 0) ^ mask
        const { verdict, events } = await scan(bytes)
        const index = lines.findIndex(({ end }) => end > position)
        const line = lines[index]
        if (!line) throw new Error('no line')
        // Without its newline, a line takes the next one with it.
        const good = lines.filter(
          (_, other) => other !== index && !(position === line.end - 1 && other === index + 1),
        )
        const next = good.find(({ start }) => start > position)
        const synced = Math.max(...good.map(other => other.synced))
        const corrupt =
          index === 0 || line.before <= synced || (next?.before === line.before && next.after > next.before)
        expectPrefix(events, line.before)
        const damage = { line: index + 1, offset: line.start }
        expect([position, verdict]).toMatchObject([
          position,
          corrupt ? { kind: 'corrupt', damage } : { kind: 'torn', crashTear: false, damage },
        ])
      }
    },
  )
})

it('a damaged mark before good events is corruption, though nothing vouches for them: cutting them would lose them', async () => {
  const mark = lines.findIndex(({ before, after, start }) => start > 0 && before === after)
  const bytes = Buffer.from(log.subarray(0, lines[mark + 1]?.end))
  bytes[lines[mark]?.start ?? 0] = 0x21
  expect((await scan(bytes)).verdict).toMatchObject({ kind: 'corrupt', damage: { line: mark + 1 } })
})

describe('a log with lines out of place', () => {
  const lineAt = (index: number) => log.subarray(lines[index]?.start, lines[index]?.end)
  const assemble = (order: readonly number[]) => Buffer.concat(order.map(lineAt))
  const inOrder = () => lines.map((_, index) => index)

  it('is corrupt when any line but the last is missing', async () => {
    for (const missing of inOrder().slice(0, -1)) {
      const line = lines[missing]
      if (line?.before === line?.after && missing > 0) continue
      const { verdict } = await scan(assemble(inOrder().filter(index => index !== missing)))
      expect([missing, verdict.kind]).toEqual([missing, 'corrupt'])
    }
  })

  it('is corrupt when a line with events stands twice, or two have changed places', async () => {
    for (const index of inOrder().slice(1, -2)) {
      const line = lines[index]
      if (line?.before === line?.after) continue
      const twice = inOrder().flatMap(other => (other === index ? [other, other] : [other]))
      expect((await scan(assemble(twice))).verdict.kind).toBe('corrupt')
      const swapped = inOrder()
      swapped.splice(index, 2, index + 1, index)
      expect((await scan(assemble(swapped))).verdict.kind).toBe('corrupt')
    }
  })
})

describe('any damage at all', () => {
  it('never gives events that were not written, and none are missing without a word', async () => {
    const damage = fc.record({
      at: fc.nat({ max: log.length - 1 }),
      remove: fc.nat({ max: 600 }),
      insert: fc.oneof(
        fc.uint8Array({ maxLength: 40 }),
        fc.nat({ max: 600 }).map(size => new Uint8Array(size)),
      ),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 3 }), async wounds => {
        let bytes = log
        for (const { at, remove, insert } of wounds) {
          bytes = Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + remove)])
        }
        const { verdict, events } = await scan(bytes)
        expectPrefix(events, events.length)
        const cutCleanly = log.subarray(0, bytes.length).equals(bytes)
        if (verdict.kind === 'sound' && events.length < known.length) expect(cutCleanly).toBe(true)
        if (verdict.kind === 'torn' && verdict.crashTear) expect(bytes.at(-1)).not.toBe(0x0a)
      }),
      { numRuns: 1000 },
    )
  })
})
