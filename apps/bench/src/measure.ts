/** One thing that is timed. `run` does the work once for payload number `index`; its answer is folded into a sink. */
export interface Candidate {
  readonly name: string
  readonly run: (index: number) => unknown
  /** Why this one is not timed, for example that it overflows the stack. */
  readonly failure?: string
  /** Whether it generates code, which a strict Content Security Policy and edge workers forbid. */
  readonly needsEval?: string
  /** What a reader must know to compare, for example that a peer needs eval. */
  readonly note?: string
}

/** What one benchmark compares. */
export interface Comparison {
  readonly title: string
  readonly candidates: readonly Candidate[]
  /** The candidate whose speed is 1. */
  readonly reference: string
}

export interface Measured {
  readonly name: string
  /** Best over all rounds; infinite for one that failed. */
  readonly nanoseconds: number
  /** Speed relative to the reference: 2 is twice as fast. */
  readonly ratio: number
  readonly failure?: string
  readonly needsEval?: string
  readonly note?: string
}

export interface Measurement {
  readonly title: string
  readonly reference: string
  readonly rows: readonly Measured[]
}

export interface MeasureOptions {
  /** How many times every candidate is timed. Default 31. */
  readonly rounds?: number
  /** How long one timing of one candidate takes, in milliseconds. Default 8. */
  readonly roundMs?: number
}

/**
 * Times all candidates of a comparison side by side: in every round each runs once, in a rotated order, so that a slow
 * spell of the machine hits them all. The best round counts, since noise only ever adds time.
 */
export function measure(
  comparison: Comparison,
  { rounds = 31, roundMs = 8 }: MeasureOptions = {},
): Measurement {
  const measured = comparison.candidates.map(candidate => ({ candidate, iterations: 0, best: Infinity }))
  const timed = measured.filter(({ candidate }) => candidate.failure === undefined)
  for (const entry of timed) entry.iterations = calibrate(entry.candidate, roundMs)
  for (let round = 0; round < rounds; round++) {
    for (let position = 0; position < timed.length; position++) {
      const entry = timed[(position + round) % timed.length]
      if (entry !== undefined) entry.best = Math.min(entry.best, timeOnce(entry.candidate, entry.iterations))
    }
  }
  const reference = timed.find(({ candidate }) => candidate.name === comparison.reference)
  if (reference === undefined) {
    throw new RangeError(
      `expected a candidate named "${comparison.reference}" in "${comparison.title}"; there is none`,
    )
  }
  return {
    title: comparison.title,
    reference: comparison.reference,
    rows: measured.map(({ candidate: { name, failure, needsEval, note }, best }) => ({
      name,
      nanoseconds: best,
      ratio: reference.best / best,
      ...(failure !== undefined && { failure }),
      ...(needsEval !== undefined && { needsEval }),
      ...(note !== undefined && { note }),
    })),
  }
}

/** Folds every answer, so that no engine may drop the work. */
let sink = 0

function timeOnce({ run }: Candidate, iterations: number): number {
  const startedAt = process.hrtime.bigint()
  for (let index = 0; index < iterations; index++) if (run(index) !== false) sink++
  return Number(process.hrtime.bigint() - startedAt) / iterations
}

function calibrate(candidate: Candidate, roundMs: number): number {
  let iterations = 1
  for (;;) {
    const nanoseconds = timeOnce(candidate, iterations) * iterations
    if (nanoseconds >= roundMs * 1e6 || iterations >= 2 ** 26)
      return Math.max(1, Math.round((iterations * roundMs * 1e6) / nanoseconds))
    iterations *= 2
  }
}

/** How much work was folded; printed so that it is read. */
export function sunk(): number {
  return sink
}
