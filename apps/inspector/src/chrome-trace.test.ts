import fc from 'fast-check'
import { expect, it } from 'vitest'
import { failedLog, hostileLog, killedLog, LogWriter, sampleLog } from '../test/sample-log.js'
import { randomLog } from '../../../packages/repair/src/random-log.js'
import { chromeTrace, type TraceEvent } from './chrome-trace.js'
import type { SessionEvent } from '@agent-spine/session'

/** Slices by lane, in the order of time. */
function lanesOf(events: readonly TraceEvent[]): ReadonlyMap<number, readonly TraceEvent[]> {
  const lanes = new Map<number, TraceEvent[]>()
  for (const event of events.filter(({ ph }) => ph === 'X')) {
    lanes.set(event.tid, [...(lanes.get(event.tid) ?? []), event])
  }
  for (const lane of lanes.values()) lane.sort((one, other) => (one.ts ?? 0) - (other.ts ?? 0))
  return lanes
}

function expectNoOverlap(events: readonly SessionEvent[]): void {
  for (const [tid, slices] of lanesOf(chromeTrace('s', events).traceEvents)) {
    for (const [index, slice] of slices.entries()) {
      const before = slices[index - 1]
      const freeFrom = before === undefined ? 0 : (before.ts ?? 0) + (before.dur ?? 0)
      expect(slice.ts, `lane ${tid}, ${slice.name}`).toBeGreaterThanOrEqual(freeFrom)
      expect(slice.dur).toBeGreaterThanOrEqual(0)
    }
  }
}

/** A session of random batches: how calls overlap, how long each phase takes, what the clock does. */
const batches = fc.array(
  fc.record({
    calls: fc.integer({ min: 1, max: 8 }),
    pool: fc.integer({ min: 1, max: 4 }),
    waits: fc.array(fc.integer({ min: -20, max: 500 }), { minLength: 8, maxLength: 8 }),
    stated: fc.boolean(),
  }),
  { minLength: 1, maxLength: 5 },
)

function overlappingLog(given: Parameters<Parameters<typeof batches.map>[0]>[0]): readonly SessionEvent[] {
  const log = new LogWriter()
  for (const [turn, { calls, pool, waits, stated }] of given.entries()) {
    const ids = Array.from({ length: calls }, (_, index) => `t${turn}_${index}`)
    log
      .turn()
      .step()
      .says('go')
      .answers(
        '',
        ids.map(id => [id, 'look', {}] as const),
      )
    let committed = 0
    const commit = () => {
      const id = ids[committed++]
      const wait = waits[committed % waits.length] ?? 0
      if (id !== undefined) log.wait(wait).results(id, stated ? `{"durationMs":${Math.abs(wait)}}` : 'done')
    }
    for (const [index, id] of ids.entries()) {
      if (index - committed >= pool) commit()
      log
        .wait(waits[index] ?? 0)
        .starts(id, 'look', {})
        .wait(1)
        .dispatches(id)
    }
    while (committed < calls) commit()
    log.endStep().endTurn()
  }
  return log.events
}

it('no slices of a lane overlap, in random sessions with every kind of ending (T1)', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 400 }), draws => {
      let drawn = 0
      const log = randomLog(count => (draws[drawn++ % draws.length] ?? 0) % Math.max(1, count))
      expectNoOverlap(log)
      expectNoOverlap(log.slice(0, Math.floor(log.length / 2)))
    }),
  )
})

it('no slices of a lane overlap, however calls overlap and clocks jump (T1)', () => {
  fc.assert(fc.property(batches, given => expectNoOverlap(overlappingLog(given))))
})

it('calls that overlap are on lanes of their own, named as slots', () => {
  const { traceEvents } = chromeTrace('s', sampleLog())
  const bodies = traceEvents.filter(({ name, ph }) => ph === 'X' && name.startsWith('run_tests '))
  expect(bodies.map(({ name, tid }) => [name, tid])).toEqual([
    ['run_tests A', 100],
    ['run_tests B', 101],
    ['run_tests C', 102],
    ['run_tests D', 100],
    ['run_tests E', 101],
  ])
  const names = traceEvents.filter(({ ph, name }) => ph === 'M' && name === 'thread_name')
  expect(names.map(({ args }) => args?.['name'])).toEqual([
    'turns',
    'steps',
    'model calls',
    'not run',
    'slot 1',
    'slot 2',
    'slot 3',
  ])
})

it('a call that never ran says why', () => {
  const { traceEvents } = chromeTrace('s', sampleLog())
  expect(traceEvents.find(({ name }) => name === 'not run: write_report')?.args).toMatchObject({
    status: 'skipped',
    code: 'ABORTED_BEFORE_DISPATCH',
    why: 'The turn was cancelled before the call ran. It had no effect.',
  })
})

it('nothing lasts until a repair that came minutes later, and what has no known end says so', () => {
  const events = killedLog().wait(174_000).owner().repairs().events
  const slices = chromeTrace('s', events).traceEvents.filter(({ ph }) => ph === 'X')
  expect(Math.max(...slices.map(({ ts = 0, dur = 0 }) => ts + dur))).toBe(2_000_000)
  const endless = slices.filter(({ args }) => String(args?.['end']).startsWith('unknown'))
  expect(endless.map(({ name }) => name)).toEqual(['turn 0', 'step 0', 'run_tests A', 'run_tests B'])
  const known = chromeTrace('s', failedLog().wait(174_000).owner().repairs().events).traceEvents
  expect(known.find(({ name }) => name === 'run_tests B')).toMatchObject({ dur: 12_000 })
})

it('a call that never started is on no slot', () => {
  const { traceEvents } = chromeTrace('s', killedLog().events)
  const marks = traceEvents.filter(({ name }) => name === 'not run: write_report')
  expect(marks.map(({ tid, dur }) => [tid, dur])).toEqual([
    [99, 0],
    [99, 0],
  ])
  expect(traceEvents.filter(({ args }) => String(args?.['name']).startsWith('slot'))).toHaveLength(2)
})

it('times begin at the first event, in microseconds, and are never negative (T2)', () => {
  const events = sampleLog()
  const slices = chromeTrace('s', events).traceEvents.filter(({ ph }) => ph !== 'M')
  const length = ((events.at(-1)?.time ?? 0) - (events[0]?.time ?? 0)) * 1000
  expect(Math.min(...slices.map(({ ts }) => ts ?? -1))).toBe(0)
  expect(Math.max(...slices.map(({ ts = 0, dur = 0 }) => ts + dur))).toBe(length)
})

it('hostile names stay text without controls', () => {
  const { traceEvents } = chromeTrace('s', hostileLog())
  const texts = traceEvents.flatMap(({ name, args = {} }) => [name, ...Object.values(args).map(String)])
  for (const text of texts) expect(text).not.toMatch(/[\p{Cc}\p{Cs}\u200b\u2028\u202e]/u)
})

it('a log without events is a trace without slices', () => {
  expect(chromeTrace('s', []).traceEvents.filter(({ ph }) => ph === 'X')).toEqual([])
})
