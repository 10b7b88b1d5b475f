import type { JsonValue } from '@agent-spine/schema'

/** Turns a list of cited seqs into one whose runs are `[first, last]` pairs, and back. */

type Packed = number | readonly [first: number, last: number]

const shortestRun = 3

/** Packs the seqs that event `seq` cites. What is no ascending list of earlier seqs stays as it is. */
export function packSeqs(seqs: readonly number[], seq: number): readonly Packed[] {
  if (!isAscending(seqs, seq)) return seqs
  const packed: Packed[] = []
  for (let start = 0; start < seqs.length;) {
    let end = start + 1
    while (end < seqs.length && seqs[end] === at(seqs, end - 1) + 1) end++
    if (end - start >= shortestRun) packed.push([at(seqs, start), at(seqs, end - 1)])
    else packed.push(...seqs.slice(start, end))
    start = end
  }
  return packed
}

/** Unpacks what event `seq` cites; or says what is wrong. A pair never reaches beyond `seq`, so no file can blow it up. */
export function unpackSeqs(packed: JsonValue, seq: number): readonly number[] | string {
  if (!Array.isArray(packed)) return 'cited seqs that are no list'
  const seqs: number[] = []
  for (const item of packed as readonly JsonValue[]) {
    if (typeof item === 'number') {
      seqs.push(item)
      continue
    }
    const [first, last] = Array.isArray(item) ? (item as readonly JsonValue[]) : []
    if (!isSeq(first) || !isSeq(last) || first > last || last >= seq || first <= (seqs.at(-1) ?? -1)) {
      return `a citation ${JSON.stringify(item)} that is no range of earlier seqs`
    }
    for (let cited = first; cited <= last; cited++) seqs.push(cited)
  }
  return seqs
}

function isAscending(seqs: readonly number[], limit: number): boolean {
  return seqs.every((seq, index) => isSeq(seq) && seq < limit && (index === 0 || seq > at(seqs, index - 1)))
}

function isSeq(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function at(seqs: readonly number[], index: number): number {
  return seqs[index] ?? Number.NaN
}
