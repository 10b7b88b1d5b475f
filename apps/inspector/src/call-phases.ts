import type { CallSpan } from './call-spans.js'

/** A part of a call's way. `body` ends at the commit where the log does not say when it settled. */
export interface CallPhase {
  readonly name: 'prepare' | 'body' | 'waiting for its turn' | 'not run'
  readonly from: number
  readonly to: number
  /** Nobody knows how long it went on: `to` is the last the log knows. */
  readonly isEndKnown: boolean
}

/** The phases of a call, in order, without gaps, from its start to its end. */
export function callPhases(call: CallSpan): readonly CallPhase[] {
  const { start, dispatched, settled, end, isEndKnown } = call
  if (dispatched === undefined) {
    const name = undispatched(call)
    return [{ name, from: start, to: end, isEndKnown: isEndKnown || name === 'not run' }]
  }
  const bodyEnd = settled ?? end
  const phases: CallPhase[] = []
  if (dispatched > start) phases.push({ name: 'prepare', from: start, to: dispatched, isEndKnown: true })
  phases.push({ name: 'body', from: dispatched, to: bodyEnd, isEndKnown })
  if (end > bodyEnd) phases.push({ name: 'waiting for its turn', from: bodyEnd, to: end, isEndKnown: true })
  return phases
}

/** Of a nested call the log never holds a dispatch. */
function undispatched({ status, isStarted, parentCallId }: CallSpan): CallPhase['name'] {
  if (status === 'skipped' || !isStarted) return 'not run'
  return parentCallId === undefined || status === 'refused' ? 'prepare' : 'body'
}
