import {
  classifyLog,
  legalityProblems,
  type Finding,
  type LegalityProfile,
  type LogVerdict,
} from '@agent-spine/invariant'
import { interruptedTurnClosers, repairLog, type ClosingEvent } from '@agent-spine/repair'
import { deriveMessages, type SessionEvent } from '@agent-spine/session'

/** What is true of a log. */
export interface Verification {
  readonly verdict: LogVerdict['verdict'] | 'illegal'
  readonly events: number
  readonly violations: readonly Finding[]
  /** What repair would close, and the events it would add. */
  readonly open: readonly Finding[]
  readonly repairAdds: readonly ClosingEvent[]
  /** What each provider would refuse in the conversation that the repaired log derives. */
  readonly legality: Readonly<Record<LegalityProfile, readonly Finding[]>>
}

/** Holds a log to account: its relations as it is, and once repaired, the conversation it derives. */
export function verifyLog(events: readonly SessionEvent[]): Verification {
  const { verdict, violations, open } = classifyLog(events)
  const repaired = violations.length === 0 ? repairLog(events) : events
  const afterRepair = violations.length === 0 ? classifyLog(repaired).violations : []
  const legality = legalityOf(violations.length === 0 ? repaired : [])
  const isLegal = Object.values(legality).every(findings => findings.length === 0)
  return {
    verdict: afterRepair.length > 0 ? 'violated' : isLegal ? verdict : 'illegal',
    events: events.length,
    violations: [...violations, ...afterRepair],
    open,
    repairAdds: violations.length === 0 ? interruptedTurnClosers(events) : [],
    legality,
  }
}

function legalityOf(events: readonly SessionEvent[]): Verification['legality'] {
  const messages = deriveMessages(events)
  const problems = (profile: LegalityProfile) =>
    messages.length === 0 ? [] : legalityProblems(messages, profile)
  return {
    openai: problems('openai'),
    anthropic: problems('anthropic'),
    gemini: problems('gemini'),
    strict: problems('strict'),
  }
}
