import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '@agent-spine/schema'
import type { SessionEvent } from '../event.js'
import { openRecord } from './format.js'
import { chunkEvent, chunks, events } from './sample-events.fixture.js'
import { unpackRecord } from './pack.js'
import { RecordBuffer } from './record-buffer.js'
import { packSeqs, unpackSeqs } from './seq-ranges.js'

/** The lines that a buffer makes of the batches, and the events that come back from them. */
function roundTrip(batches: readonly (readonly SessionEvent[])[]) {
  const buffer = new RecordBuffer()
  for (const batch of batches) buffer.add(batch)
  const lines = buffer.take(-1).toString().split('\n').slice(0, -1)
  const records = lines.map(line => {
    const bytes = Buffer.from(line)
    const record = openRecord({ buffer: bytes, start: 0, stop: bytes.length })
    if (typeof record === 'string') throw new Error(record)
    return record.value
  })
  let next = 0
  const back = records.flatMap(record => {
    const unpacked = unpackRecord(record, next)
    if (typeof unpacked === 'string') throw new Error(unpacked)
    next += unpacked.length
    return unpacked
  })
  return { records, back }
}

const units = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map(unit => String.fromCharCode(unit)) })
const count = fc.nat({ max: 2 })
const delta = fc.record({
  type: fc.constantFrom('text-delta', 'reasoning-delta', 'tool-call-delta'),
  index: count,
  text: units,
})
const otherChunk = fc.oneof(
  fc.record({ type: fc.constant('tool-call-delta'), index: count, text: units, id: units, name: units }),
  fc.record({ type: fc.constant('block-end'), index: count, replay: fc.jsonValue() }),
  // The same fields in another order must come back in that order.
  fc.record({ index: count, type: fc.constant('text-delta'), text: units }),
)
const chunkData = fc.record({
  turn: fc.constant(1),
  step: count,
  attempt: count,
  chunk: fc.oneof({ weight: 9, arbitrary: delta }, { weight: 1, arbitrary: otherChunk }),
})
const options = fc.record(
  {
    surfaceOp: fc.constantFrom('append', { replace: { start: 0, end: 3 } }),
    closer: fc.constant(true),
    ignorable: fc.constant(true),
    sourceEventSeqs: fc.uniqueArray(fc.nat({ max: 60 }), { maxLength: 40 }),
  },
  { requiredKeys: [] },
)
const draft = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('assistant/chunk'), data: chunkData }) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.record({ type: units, data: fc.jsonValue() }), options)
      .map(([event, rest]) => ({ ...event, ...rest })),
  },
)
const time = fc.oneof(
  fc.nat({ max: 50 }),
  fc.maxSafeNat(),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }),
)

/** Logs of any events, in batches of any size. What JSON cannot hold never reaches a store. */
const log = fc
  .array(fc.array(fc.tuple(time, draft), { minLength: 1, maxLength: 4 }), { maxLength: 12 })
  .map(batches => {
    let seq = 0
    const stamped = batches.map(batch => batch.map(([at, event]) => ({ seq: seq++, time: at, ...event })))
    return JSON.parse(JSON.stringify(stamped)) as SessionEvent[][]
  })

/** The parts of a chunk event, to make another of. */
function parts(event: SessionEvent) {
  if (event.type !== 'assistant/chunk' || event.data.chunk.type !== 'text-delta') throw new Error('no text')
  return { event, data: event.data, chunk: event.data.chunk }
}

describe('records', () => {
  it('give back the very events they were made of, for any log and any batches', () => {
    fc.assert(
      fc.property(log, batches => {
        const { back } = roundTrip(batches)
        // As text, so that the order of keys counts too.
        expect(JSON.stringify(back)).toBe(JSON.stringify(batches.flat()))
      }),
      { numRuns: 500 },
    )
  })

  it('are one for each batch, and one for a run of chunks of a block', () => {
    const { records } = roundTrip([
      ...chunks(0, 50).map(chunk => [chunk]),
      ...events(50, 1).map(event => [event]),
      events(51, 3),
      ...chunks(54, 1).map(chunk => [chunk]),
    ])
    expect(records.map(record => Object.keys(record)[0])).toEqual(['chunks', 'seq', 'batch', 'seq'])
  })

  it.each<[string, (event: ReturnType<typeof parts>) => object]>([
    [
      'a chunk with another order of fields',
      ({ event, data, chunk: { type, index, text } }) => ({
        ...event,
        data: { ...data, chunk: { index, type, text } },
      }),
    ],
    [
      'a chunk with more to it',
      ({ event, data, chunk }) => ({ ...event, data: { ...data, chunk: { ...chunk, id: 'x' } } }),
    ],
    ['a scope with more to it', ({ event, data }) => ({ ...event, data: { ...data, more: 1 } })],
    ['an event with more to it', ({ event }) => ({ ...event, closer: true })],
    ['a time between two milliseconds', ({ event }) => ({ ...event, time: event.time + 0.3 })],
    ['a time before 1970', ({ event }) => ({ ...event, time: -Number.MAX_SAFE_INTEGER })],
    [
      'another block',
      ({ event, data, chunk }) => ({ ...event, data: { ...data, chunk: { ...chunk, index: 1 } } }),
    ],
    [
      'another kind of text',
      ({ event, data, chunk }) => ({
        ...event,
        data: { ...data, chunk: { ...chunk, type: 'reasoning-delta' } },
      }),
    ],
    ['another attempt', ({ event, data }) => ({ ...event, data: { ...data, attempt: 1 } })],
    ['another step', ({ event, data }) => ({ ...event, data: { ...data, step: 1 } })],
    ['another turn', ({ event, data }) => ({ ...event, data: { ...data, turn: 1 } })],
  ])('hold apart what no run can give back: %s', (_, change) => {
    const list = chunks(0, 7).map(event =>
      event.seq % 3 === 2 ? change(parts(event)) : event,
    ) as SessionEvent[]
    // Twice the same oddity in a row, too.
    list.push(
      change(parts(chunkEvent(7, 'tok '))) as SessionEvent,
      change(parts(chunkEvent(8, 'tok '))) as SessionEvent,
    )
    expect(JSON.stringify(roundTrip(list.map(event => [event])).back)).toBe(JSON.stringify(list))
  })

  it('pack the runs within a batch, so that a copied history is no larger than its log', () => {
    const list = [...chunks(0, 20), ...events(20, 2), ...chunks(22, 1), ...events(23, 1), ...chunks(24, 3)]
    const { records, back } = roundTrip([list])
    expect(JSON.stringify(back)).toBe(JSON.stringify(list))
    const [{ batch } = {}] = records as { batch?: object[] }[]
    expect(batch?.map(part => Object.keys(part)[0])).toEqual(['chunks', 'seq', 'seq', 'seq', 'seq', 'chunks'])
  })

  it('rejoin a surrogate pair that two chunks share, and part it again', () => {
    const [first, second] = [...chunks(0, 1, 'a\ud83d'), ...chunks(1, 1, '\ude00b')]
    if (!first || !second) throw new Error('no chunks')
    const { records, back } = roundTrip([[first], [second]])
    expect(records).toMatchObject([{ text: 'a😀b', len: [2, 2] }])
    expect(back).toEqual([first, second])
  })

  it('hold a long answer in its text, 6 bytes a chunk and 200 a record', () => {
    const buffer = new RecordBuffer()
    for (const chunk of chunks(0, 20_000)) buffer.add([chunk])
    const bytes = buffer.take(-1)
    const records = bytes.toString().split('\n').length - 1
    expect(bytes.length).toBeLessThanOrEqual(20_000 * (4 + 6) + records * 200)
  })

  it('cite a run of chunks as a range', () => {
    const [event] = events(100, 1)
    if (!event) throw new Error('no event')
    const sourceEventSeqs = [1, 2, ...Array.from({ length: 40 }, (_, index) => 10 + index), 60]
    const buffer = new RecordBuffer()
    buffer.add([{ ...event, sourceEventSeqs }])
    expect(buffer.take(-1).toString()).toContain('"sourceEventSeqs":[1,2,[10,49],60]')
  })
})

describe('what no writer makes', () => {
  const run: JsonObject = {
    chunks: { seq: 0, time: 0, turn: 0, step: 0, attempt: 0, type: 'text-delta', index: 0 },
    text: 'abcd',
    len: [2, 2],
    dt: [0, 1],
  }

  it.each<[string, JsonObject]>([
    ['a length too many', { ...run, len: [2, 2, 0] }],
    ['a length too few', { ...run, len: [4] }],
    ['lengths beyond the text', { ...run, len: [2, 3] }],
    ['a negative length', { ...run, len: [5, -1] }],
    ['lengths that are no integers', { ...run, len: [1.5, 2.5] }],
    ['an empty run', { ...run, text: '', len: [], dt: [] }],
    ['a run of something else', { ...run, chunks: { ...(run['chunks'] as JsonObject), type: 'block-end' } }],
    ['a run at another seq', { ...run, chunks: { ...(run['chunks'] as JsonObject), seq: 1 } }],
    ['a run without time', { ...run, chunks: { seq: 0 } }],
    ['an event at another seq', { seq: 1, time: 0, type: 'x', data: 0 }],
    ['an event without data', { seq: 0, time: 0, type: 'x' }],
    [
      'an event with a range that reaches beyond it',
      { seq: 0, time: 0, type: 'x', data: 0, sourceEventSeqs: [[0, 1e12]] },
    ],
    ['an empty batch', { batch: [] }],
    ['a batch of numbers', { batch: [1] }],
    ['a batch within a batch', { batch: [{ batch: [{ seq: 0, time: 0, type: 'x', data: 0 }] }] }],
    ['a batch with a gap', { batch: [0, 2].map(seq => ({ seq, time: 0, type: 'x', data: 0 })) }],
    ['nothing known', { rubbish: 1 }],
  ])('is refused: %s', (_, record) => {
    expect(unpackRecord(record, 0)).toBeTypeOf('string')
  })

  it('is what these refusals differ from', () => {
    expect(unpackRecord(run, 0)).toHaveLength(2)
  })
})

describe('ranges of seqs', () => {
  it('come back as the list they were, ascending or not', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.nat({ max: 80 }), fc.double())), fc.nat({ max: 90 }), (seqs, seq) => {
        expect(unpackSeqs(packSeqs(seqs, seq), seq)).toEqual(seqs)
      }),
    )
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat({ max: 80 })), seqs => {
        const ascending = seqs.sort((left, right) => left - right)
        expect(unpackSeqs(packSeqs(ascending, 81), 81)).toEqual(ascending)
      }),
    )
  })
})
