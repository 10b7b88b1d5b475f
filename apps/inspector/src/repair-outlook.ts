import { interruptedTurnClosers } from '@agent-spine/repair'
import type { SessionEvent } from '@agent-spine/session'
import { lastWritten } from './last-written.js'
import { resultCallId } from './tool-result.js'

/** What repair would make of an open call if its process were dead, and whether anything can still come of it. */
export interface RepairOutlook {
  /** Of the result it would add; none where the log already holds the outcome. */
  readonly code?: string
  /** What ended without it; none where the log just ends. */
  readonly ended?: 'turn' | 'process'
}

/** By call id, for every call that repair would close. O(events). */
export function repairOutlooks(events: readonly SessionEvent[]): ReadonlyMap<string, RepairOutlook> {
  const closers = interruptedTurnClosers(events)
  const openTurn = closers.find(({ type }) => type === 'turn/end')?.data.turn
  const ends = lastWritten(events)
  const outlooks = new Map<string, RepairOutlook>()
  for (const closer of closers) {
    if (closer.type !== 'tool/result') continue
    const { data, sourceEventSeqs: [citedSeq = 0] = [] } = closer
    const code = data.error?.code
    const isProcessOver = (ends[citedSeq] ?? 0) < events.length - 1
    const ended = data.turn !== openTurn ? 'turn' : isProcessOver ? 'process' : undefined
    outlooks.set(resultCallId(data) ?? '', { ...(code !== undefined && { code }), ...(ended && { ended }) })
  }
  return outlooks
}
