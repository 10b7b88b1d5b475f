import type { SessionEvent } from '@agent-spine/session'
import { monotoneTimes } from './monotone-times.js'

/**
 * The time axis of a waterfall: real time while a turn is open, and idle time cut short, between turns and before another
 * process took the session over, so that one that was resumed on another day is still readable. Positions are milliseconds from the start, less what was cut.
 */
export interface TimeAxis {
  readonly length: number
  position(time: number): number
  time(position: number): number
  /** Where idle time was cut, and how much. */
  readonly cuts: readonly { readonly position: number; readonly cutMs: number }[]
}

const shortestCutMs = 1000
const idleShare = 0.02

export function timeAxis(
  events: readonly SessionEvent[],
  times: Float64Array = monotoneTimes(events),
): TimeAxis {
  const idle = idleGaps(events, times)
  const start = times[0] ?? 0
  const total = Math.max(1, (times.at(-1) ?? 0) - start)
  const busyMs = total - idle.reduce((sum, { from, to }) => sum + to - from, 0)
  const keptMs = Math.max(1, busyMs * idleShare)

  const cuts: Cut[] = []
  let cutMs = 0
  for (const gap of idle) {
    const length = gap.to - gap.from - keptMs
    if (length <= keptMs) continue
    const from = gap.from + keptMs
    cuts.push({ from, to: gap.to, position: from - start - cutMs, cutMs: length })
    cutMs += length
  }
  return {
    length: Math.max(1, total - cutMs),
    cuts,
    position(time) {
      let removed = 0
      for (const cut of cuts) {
        if (time <= cut.from) break
        if (time < cut.to) return cut.position
        removed += cut.cutMs
      }
      return time - start - removed
    },
    time(position) {
      const removed = cuts.reduce((sum, cut) => (position > cut.position ? sum + cut.cutMs : sum), 0)
      return start + position + removed
    },
  }
}

/** Idle time from `from` to `to` that the axis leaves out. */
interface Cut {
  readonly from: number
  readonly to: number
  readonly position: number
  readonly cutMs: number
}

function idleGaps(events: readonly SessionEvent[], times: Float64Array) {
  const gaps: { readonly from: number; readonly to: number }[] = []
  let isOpen = false
  let previous = times[0] ?? 0
  let index = 0
  for (const { type } of events) {
    const time = times[index++] ?? previous
    const isIdle = !isOpen || type === 'session/owner'
    if (isIdle && time - previous > shortestCutMs) gaps.push({ from: previous, to: time })
    previous = time
    if (type === 'turn/start') isOpen = true
    if (type === 'turn/end') isOpen = false
  }
  return gaps
}
