import type { Measurement } from './measure.js'

/** One way of running a whole batch. */
export interface BatchCandidate {
  readonly name: string
  readonly run: () => Promise<unknown>
  /** Makes what the next `run` needs, outside of its time. */
  readonly setUp?: () => Promise<void>
  readonly note?: string
}

export interface BatchComparison {
  readonly title: string
  /** How many items one run handles; times are given for one item. */
  readonly size: number
  readonly candidates: readonly BatchCandidate[]
  readonly reference: string
}

/** Times whole batches, one after the other in every round, in a rotated order. The best round counts. */
export async function measureBatches(comparison: BatchComparison, rounds: number): Promise<Measurement> {
  const { candidates, size } = comparison
  const best = new Map(candidates.map(({ name }) => [name, Infinity]))
  for (let round = 0; round < rounds; round++) {
    for (let position = 0; position < candidates.length; position++) {
      const candidate = candidates[(position + round) % candidates.length]
      if (candidate === undefined) continue
      await candidate.setUp?.()
      const startedAt = process.hrtime.bigint()
      await candidate.run()
      const nanoseconds = Number(process.hrtime.bigint() - startedAt) / size
      best.set(candidate.name, Math.min(best.get(candidate.name) ?? Infinity, nanoseconds))
    }
  }
  const reference = best.get(comparison.reference)
  if (reference === undefined) {
    throw new RangeError(
      `expected a candidate named "${comparison.reference}" in "${comparison.title}"; there is none`,
    )
  }
  return {
    title: comparison.title,
    reference: comparison.reference,
    rows: candidates.map(({ name, note }) => {
      const nanoseconds = best.get(name) ?? Infinity
      return { name, nanoseconds, ratio: reference / nanoseconds, ...(note !== undefined && { note }) }
    }),
  }
}
