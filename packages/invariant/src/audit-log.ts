import type { SessionEvent } from '@agent-spine/session'
import type { Finding } from './finding.js'
import { emptyLog, readOn, relationFindings, type LogState } from './log-relations.js'

/**
 * Every broken relation of a log, in log order; empty for a log that is sound as far as it goes. Work that is still open at
 * its end, or a call that its turn left unanswered, is a state and no violation: see {@link classifyLog}. O(events).
 *
 * @example
 * ```ts
 * for (const { code, seq, message } of auditLog(session.events)) console.log(code, seq, message)
 * ```
 */
export function auditLog(events: readonly SessionEvent[]): Finding[] {
  return audit(events).violations
}

/** What a log is fit for. */
export interface LogVerdict {
  /**
   * - `sound`: every relation holds and nothing is open.
   * - `needs-repair`: every relation holds, and repair has something to close.
   * - `violated`: an event contradicts the ones before it; repair cannot help.
   */
  readonly verdict: 'sound' | 'needs-repair' | 'violated'
  readonly violations: readonly Finding[]
  /** What repair would close. `seq` names the event that opened it. */
  readonly open: readonly Finding[]
}

/** Tells a log that a crash cut short from one that is wrong. O(events). */
export function classifyLog(events: readonly SessionEvent[]): LogVerdict {
  const { violations, state } = audit(events)
  const open = openFindings(state)
  const verdict = violations.length > 0 ? 'violated' : open.length > 0 ? 'needs-repair' : 'sound'
  return { verdict, violations, open }
}

function audit(events: readonly SessionEvent[]): { violations: Finding[]; state: LogState } {
  const violations: Finding[] = []
  let state = emptyLog()
  for (const event of events) {
    violations.push(...relationFindings(state, event))
    state = readOn(state, event)
  }
  return { violations, state }
}

function openFindings({ boundaries: { turn, step }, attempts: { current }, calls }: LogState): Finding[] {
  const open: Finding[] = []
  if (turn !== undefined) {
    open.push({ code: 'OPEN_TURN', seq: turn.seq, message: `turn ${turn.number} was not ended` })
  }
  if (step !== undefined) {
    open.push({ code: 'OPEN_STEP', seq: step.seq, message: `step ${step.number} was not ended` })
  }
  if (current?.ended === false) {
    open.push({ code: 'OPEN_ATTEMPT', seq: current.seq, message: `attempt ${current.attempt} was not ended` })
  }
  for (const [callId, { callSeq, messageSeq }] of calls.open) {
    open.push({ code: 'OPEN_CALL', seq: callSeq ?? messageSeq, message: `call ${callId} has no result` })
  }
  return open
}
