import { classifyLog, legalityProblems, type LegalityProfile } from '@agent-spine/invariant'
import { deriveMessages, replaySession, type SessionEvent } from '@agent-spine/session'
import { interruptedTurnClosers, repairLog } from '../src/closers.js'
import { needsRepair } from '../src/needs-repair.js'

const profiles: readonly LegalityProfile[] = ['openai', 'anthropic', 'gemini', 'strict']

/** The first law of repair that does not hold for `log`, in words. */
export function brokenLaw(log: readonly SessionEvent[]): string | undefined {
  const before = JSON.stringify(log)
  const repaired = repairLog(log)
  const bytes = JSON.stringify(repaired)
  if (JSON.stringify(log) !== before) return 'repair changed what it was given'
  if (JSON.stringify(repairLog(JSON.parse(before) as SessionEvent[])) !== bytes) {
    return 'the same log was repaired to other bytes (R1)'
  }
  if (JSON.stringify(repairLog(repaired)) !== bytes) return 'a repaired log was repaired again (R2)'
  if (needsRepair(repaired)) return 'a repaired log is said to need repair'
  if (needsRepair(log) !== repaired.length > log.length) return 'needsRepair does not say what repair does'
  if (repaired.slice(log.length).some(({ closer }) => closer !== true)) return 'a closer is not marked'
  const { verdict, violations, open } = classifyLog(repaired)
  if (verdict !== 'sound')
    return `the repaired log is ${verdict}: ${JSON.stringify([...violations, ...open])}`
  const messages = deriveMessages(repaired)
  for (const profile of profiles) {
    const [problem] = legalityProblems(messages, profile)
    if (problem !== undefined) return `${profile} refuses the conversation: ${problem.message}`
  }
  return liveProblem(log, repaired)
}

/** A live session must take the closers as one batch, and then hold the same log. */
function liveProblem(log: readonly SessionEvent[], repaired: readonly SessionEvent[]): string | undefined {
  const session = replaySession(log)
  session.appendAll(interruptedTurnClosers(log))
  const same = JSON.stringify(session.events) === JSON.stringify(replaySession(repaired).events)
  return same ? undefined : 'a live session came to hold another log'
}
