import type { CallSpan } from './call-spans.js'

/** A moment at which every earlier call of an answer had committed, and only then the next one started. */
export interface Barrier {
  readonly time: number
  readonly seq: number
  /** The call that started there. */
  readonly callId: string
  readonly waitedFor: number
}

/**
 * The barriers of a log. The log does not hold modes: what it shows is that nothing overlapped here, which an exclusive
 * call enforces, and a pool of one brings about by itself.
 */
export function barriers(calls: readonly CallSpan[]): readonly Barrier[] {
  const found: Barrier[] = []
  let batch = -1
  let latestEnd = -1
  let waitedFor = 0
  for (const call of calls) {
    if (call.parentCallId !== undefined) continue
    if (call.askedSeq !== batch) {
      batch = call.askedSeq
      latestEnd = -1
      waitedFor = 0
    }
    if (waitedFor > 0 && call.dispatchSeq !== undefined && latestEnd < call.startSeq) {
      found.push({ time: call.start, seq: call.startSeq, callId: call.callId, waitedFor })
    }
    latestEnd = Math.max(latestEnd, call.resultSeq ?? Infinity)
    waitedFor += 1
  }
  return found
}
