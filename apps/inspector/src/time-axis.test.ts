import { expect, it } from 'vitest'
import { failedLog, killedLog, longLog, sampleLog } from '../test/sample-log.js'
import { timeAxis } from './time-axis.js'

it('leaves out idle time between turns, and nothing of a turn', () => {
  const events = sampleLog()
  const axis = timeAxis(events)
  expect(axis.cuts).toHaveLength(2)
  expect(axis.length).toBeLessThan(15_000)
  const length = (from: number, to: number) =>
    axis.position(events[to]?.time ?? 0) - axis.position(events[from]?.time ?? 0)
  expect(length(0, 45)).toBe((events[45]?.time ?? 0) - (events[0]?.time ?? 0))
  expect(length(46, 63)).toBe((events[63]?.time ?? 0) - (events[46]?.time ?? 0))
})

it.each([
  ['killed', killedLog, 2000],
  ['failed', failedLog, 39],
])('leaves out the time in which no process had the session, of one that was %s', (_, made, busyMs) => {
  const axis = timeAxis(made().wait(174_000).owner().repairs().events)
  expect(axis.cuts).toHaveLength(1)
  expect(axis.length).toBeGreaterThan(busyMs)
  expect(axis.length).toBeLessThan(busyMs * 1.1)
})

it('is in the order of time, and can be read backwards', () => {
  const events = [...sampleLog(), ...longLog(500)].sort((one, other) => one.time - other.time)
  const axis = timeAxis(events)
  let before = -1
  for (const { time } of events) {
    const position = axis.position(time)
    expect(position).toBeGreaterThanOrEqual(before)
    expect(position).toBeLessThanOrEqual(axis.length)
    before = position
  }
})

it('a position of each turn is the time it stands for', () => {
  const events = sampleLog()
  const axis = timeAxis(events)
  for (const seq of [0, 20, 45, 50, 63, 70]) {
    const time = events[seq]?.time ?? 0
    expect(axis.time(axis.position(time))).toBeCloseTo(time, 3)
  }
})

it('a moment of idle time is where that was cut', () => {
  const events = sampleLog()
  const axis = timeAxis(events)
  const later = (events[46]?.time ?? 0) - 1
  expect(axis.position(later)).toBe(axis.cuts[0]?.position)
})

it('of nothing has a length', () => {
  expect(timeAxis([]).length).toBe(1)
})
