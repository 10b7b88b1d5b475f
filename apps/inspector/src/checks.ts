import {
  classifyLog,
  legalityProblems,
  type Finding,
  type LegalityProfile,
  type LogVerdict,
} from '@agent-spine/invariant'
import type { Message } from '@agent-spine/model'
import { repairLog } from '@agent-spine/repair'
import { deriveMessages, type SessionEvent } from '@agent-spine/session'

/** The profiles a conversation is held to, the strictest last. */
export const legalityProfiles: readonly LegalityProfile[] = ['openai', 'anthropic', 'gemini', 'strict']

/** What is true of a log. */
export interface Checks {
  readonly verdict: LogVerdict['verdict'] | 'illegal'
  readonly violations: readonly Finding[]
  /** What repair would close. */
  readonly open: readonly Finding[]
  /**
   * What each provider would refuse in the conversation that the repaired log derives. Empty where the log itself is
   * violated: repair does not touch such a log.
   */
  readonly legality: readonly { readonly profile: LegalityProfile; readonly findings: readonly Finding[] }[]
}

/** Holds a log to account. O(events), and the slowest thing the page does. */
export function checkLog(events: readonly SessionEvent[]): Checks {
  const { verdict, violations, open } = classifyLog(events)
  if (violations.length > 0) return { verdict, violations, open, legality: [] }
  const repaired = repairLog(events)
  const messages = deriveMessages(repaired)
  const seqs = messageSeqs(repaired, messages)
  const legality = legalityProfiles.map(profile => ({
    profile,
    findings: messages.length === 0 ? [] : legalityProblems(messages, profile, seqs),
  }))
  const isLegal = legality.every(({ findings }) => findings.length === 0)
  return { verdict: isLegal ? verdict : 'illegal', violations, open, legality }
}

function messageSeqs(events: readonly SessionEvent[], messages: readonly Message[]): readonly number[] {
  const seqs = new Map<string, number>()
  for (const { seq, data } of events) if ('message' in data) seqs.set(data.message.id, seq)
  return messages.map(({ id }) => seqs.get(id) ?? 0)
}
