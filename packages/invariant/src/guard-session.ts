import type { Session, SessionEvent } from '@agent-spine/session'
import { report, type Finding, type FindingOptions } from './finding.js'
import { branch, emptyLog, readOn, relationFindings, type LogState } from './log-relations.js'

/**
 * Holds every further append of `session` to the log relations, before it is committed: under the policy `throw` a
 * violating append is vetoed, with its whole batch. What the log holds already is taken as it is; {@link auditLog} judges it.
 * O(1) an event.
 *
 * @returns a function that removes the guard.
 *
 * @example
 * ```ts
 * const release = guardSession(session, { policy: 'warn' })
 * ```
 */
export function guardSession(session: Session, options: FindingOptions = {}): () => void {
  let committed = emptyLog()
  let seen = 0
  return session.guard(batch => {
    // Another guard may still veto this batch: what it adds is read on only once the log holds it.
    catchUp(session.events)
    report(batchFindings(committed, batch), options)
  })

  function catchUp(events: readonly SessionEvent[]): void {
    for (; seen < events.length; seen++) {
      const event = events[seen]
      if (event !== undefined) committed = readOn(committed, event)
    }
  }
}

function batchFindings(committed: LogState, batch: readonly SessionEvent[]): Finding[] {
  const [only, ...others] = batch
  if (only !== undefined && others.length === 0) return relationFindings(committed, only)
  const findings: Finding[] = []
  let state = branch(committed, batch)
  for (const event of batch) {
    findings.push(...relationFindings(state, event))
    state = readOn(state, event)
  }
  return findings
}
