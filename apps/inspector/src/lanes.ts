/**
 * Puts spans on lanes.
 *
 * N1 No two spans of a lane overlap: one ends before the next starts, in the order of the log.
 * N2 A span takes the lowest lane that is free, so there are never more lanes than spans that were open at one moment.
 */

/** From one event to another, both inclusive. */
export interface SeqSpan {
  readonly startSeq: number
  readonly endSeq: number
}

/** The lane of each span, counted from 0. */
export function assignLanes(spans: readonly SeqSpan[]): readonly number[] {
  const lanes = new Array<number>(spans.length).fill(0)
  const lastEnds: number[] = []
  const order = spans
    .map((_, index) => index)
    .sort((one, other) => startOf(one) - startOf(other) || one - other)
  for (const index of order) {
    const start = startOf(index)
    const free = lastEnds.findIndex(end => end < start)
    const lane = free === -1 ? lastEnds.length : free
    lanes[index] = lane
    lastEnds[lane] = spans[index]?.endSeq ?? start
  }
  return lanes

  function startOf(index: number): number {
    return spans[index]?.startSeq ?? 0
  }
}
