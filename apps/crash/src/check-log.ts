import { auditLog, legalityProblems, type LegalityProfile } from '@agent-spine/invariant'
import { interruptedTurnClosers, repairLog } from '@agent-spine/repair'
import { deriveMessages, type SessionEvent } from '@agent-spine/session'
import { checkInputs } from './check-inputs.js'
import type { Evidence } from './evidence.js'
import type { Fault } from './faults.js'
import { digestAfter } from './witnessed-store.js'

/** What is known of a session from outside of it. */
export interface Witnessed {
  readonly evidence: readonly Evidence[]
  /** The ids of the calls that had their effect. */
  readonly effects: readonly string[]
}

/** Results that say their body never ran. */
const notStartedCodes: ReadonlySet<string> = new Set([
  'TOOL_NOT_STARTED',
  'ABORTED_BEFORE_DISPATCH',
  'DENIED',
  'INVALID_ARGS',
  'UNKNOWN_TOOL',
  'RESOURCE_BUSY',
])

/** Everything in which the log that a kill left, once repaired, differs from what was witnessed. */
export function checkLog(log: readonly SessionEvent[], witnessed: Witnessed): Fault[] {
  const repaired = repairLog(log)
  return [
    ...checkPromises(log, witnessed.evidence),
    ...checkCalls(repaired, witnessed),
    ...checkInputs(log, witnessed.evidence),
    ...checkRepair(repaired),
    ...checkOwnFindings(witnessed.evidence),
  ]
}

function checkPromises(log: readonly SessionEvent[], evidence: readonly Evidence[]): Fault[] {
  const digests = [0]
  for (const event of log) digests.push(digestAfter(digests.at(-1) ?? 0, event))
  return evidence
    .filter(item => item.kind === 'durable')
    .filter(({ seq, digest }) => digests[seq + 1] !== digest)
    .map(({ seq }) => {
      const found = log.length <= seq ? `the log ends with seq ${log.length - 1}` : 'other events are there'
      return { column: 'eventsLost', message: `a flush promised everything up to seq ${seq}: ${found}` }
    })
}

function checkCalls(repaired: readonly SessionEvent[], { evidence, effects }: Witnessed): Fault[] {
  const faults: Fault[] = []
  const begun = evidence.flatMap(item => (item.kind === 'begin' ? [item.callId] : []))
  const ended = new Set(evidence.flatMap(item => (item.kind === 'end' ? [item.callId] : [])))
  const dispatched = new Set(
    repaired.flatMap(event => (event.type === 'tool/dispatch' ? [event.data.callId] : [])),
  )
  for (const callId of new Set([...repeated(begun), ...repeated(effects)])) {
    faults.push({ column: 'callsRunTwice', message: `the body of ${callId} ran more than once` })
  }
  for (const callId of new Set(begun)) {
    if (dispatched.has(callId)) continue
    faults.push({ column: 'bodiesNotLogged', message: `the body of ${callId} ran, the log has no dispatch` })
  }
  for (const event of repaired) {
    if (event.type !== 'tool/result') continue
    const { message, error } = event.data
    const callId = message.source.kind === 'tool' ? message.source.callId : ''
    if (notStartedCodes.has(error?.code ?? '') && begun.includes(callId)) {
      const told = `seq ${event.seq} says ${error?.code ?? ''} of ${callId}, whose body had run`
      faults.push({ column: 'notStartedButRan', message: told })
    }
    if (error === undefined && !ended.has(callId)) {
      const told = `seq ${event.seq} has a result of ${callId}, whose body never ended`
      faults.push({ column: 'resultsInvented', message: told })
    }
  }
  return faults
}

function repeated(items: readonly string[]): string[] {
  const seen = new Set<string>()
  return items.filter(item => seen.has(item) || !seen.add(item))
}

const profiles: readonly LegalityProfile[] = ['openai', 'anthropic', 'gemini', 'strict']

function checkRepair(repaired: readonly SessionEvent[]): Fault[] {
  const faults: Fault[] = []
  for (const profile of profiles) {
    for (const { code, message } of legalityProblems(deriveMessages(repaired), profile)) {
      faults.push({ column: 'illegalRequests', message: `repaired, ${profile}: ${code} ${message}` })
    }
  }
  for (const { code, seq, message } of auditLog(repaired)) {
    faults.push({ column: 'auditFindings', message: `${code} at seq ${seq}: ${message}` })
  }
  if (interruptedTurnClosers(repaired).length > 0) {
    faults.push({ column: 'auditFindings', message: 'a repaired log needs repair' })
  }
  return faults
}

function checkOwnFindings(evidence: readonly Evidence[]): Fault[] {
  return evidence.flatMap((item): Fault[] => {
    if (item.kind === 'illegal-request') return [{ column: 'illegalRequests', message: item.message }]
    return item.kind === 'finding' ? [{ column: 'auditFindings', message: item.message }] : []
  })
}
