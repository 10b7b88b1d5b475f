import {
  auditLog,
  classifyLog,
  guardModel,
  guardSession,
  legalityProblems,
  type Finding,
} from '@agent-spine/invariant'
import { scriptedModel } from '@agent-spine/model/testing'
import { deriveMessages, replaySession, type SessionEvent } from '@agent-spine/session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { interruptedTurnClosers, repairLog } from './closers.js'
import { needsRepair } from './needs-repair.js'
import { randomLog } from './random-log.js'

const profiles = ['openai', 'anthropic', 'gemini', 'strict'] as const

const randomLogs = fc.noBias(
  fc.gen().map(gen => randomLog(count => gen(fc.nat, { max: Math.max(0, count - 1) }))),
)

/** Checks `law` for every prefix of random logs. */
function forEveryPrefix(law: (prefix: readonly SessionEvent[]) => void, numRuns = 30): void {
  fc.assert(
    fc.property(randomLogs, events => {
      for (let length = 0; length <= events.length; length++) law(events.slice(0, length))
    }),
    { numRuns },
  )
}

it('the random logs hold everything these laws speak of', () => {
  const seen = new Set<string>()
  for (const events of fc.sample(randomLogs, { numRuns: 100, seed: 1 })) {
    for (const event of events) {
      seen.add(event.type)
      if (typeof event.surfaceOp === 'object') seen.add('replacement')
      if (event.type === 'session/owner' && event.data.lostTail === true) seen.add('lost tail')
    }
    for (let length = 0; length <= events.length; length++) {
      for (const { type, data } of interruptedTurnClosers(events.slice(0, length))) {
        const code = type === 'tool/result' ? (data.error?.code ?? 'late') : ''
        seen.add(`closer ${type} ${code}`.trimEnd())
      }
    }
  }
  expect([...seen].sort()).toEqual(
    [
      ...['turn/start', 'turn/end', 'step/start', 'step/end', 'attempt/start', 'attempt/end'],
      ...['inbox/spliced', 'user/message', 'request/header', 'assistant/chunk', 'assistant/message'],
      ...['tool/call', 'tool/dispatch', 'tool/result', 'tool/late', 'tool/sub-call', 'tool/sub-result'],
      ...['session/owner', 'lost tail', 'replacement'],
      ...['closer assistant/message', 'closer attempt/end', 'closer step/end', 'closer turn/end'],
      ...['closer tool/result late', 'closer tool/result TOOL_NOT_STARTED'],
      ...['closer tool/result TOOL_OUTCOME_UNKNOWN', 'closer tool/result ABORTED_BEFORE_DISPATCH'],
    ].sort(),
  )
})

describe('at every cut of every log', () => {
  it('the repaired log derives a conversation that every provider takes', () => {
    forEveryPrefix(prefix => {
      const messages = deriveMessages(repairLog(prefix))
      for (const profile of profiles) expect(legalityProblems(messages, profile)).toEqual([])
    })
  })

  it('neither the log nor its closers break a relation', () => {
    forEveryPrefix(prefix => {
      expect(auditLog(prefix)).toEqual([])
      expect(classifyLog(repairLog(prefix))).toEqual({ verdict: 'sound', violations: [], open: [] })
    })
  })

  it('repair is idempotent (R2)', () => {
    forEveryPrefix(prefix => {
      const repaired = repairLog(prefix)
      expect(interruptedTurnClosers(repaired)).toEqual([])
      expect(needsRepair(repaired)).toBe(false)
    })
  })

  it('repair gives the same bytes for the same log, and changes nothing it is given (R1)', () => {
    forEveryPrefix(prefix => {
      const before = JSON.stringify(prefix)
      const bytes = JSON.stringify(repairLog(prefix))
      expect(JSON.stringify(prefix)).toBe(before)
      expect(JSON.stringify(repairLog(JSON.parse(before) as SessionEvent[]))).toBe(bytes)
    })
  })

  it('needsRepair says what the whole scan says', () => {
    forEveryPrefix(prefix => {
      const closes = interruptedTurnClosers(prefix).length > 0
      expect(needsRepair(prefix)).toBe(closes)
      expect(classifyLog(prefix).verdict).toBe(closes ? 'needs-repair' : 'sound')
    })
  })

  it('a live session takes the closers and holds the same log', () => {
    forEveryPrefix(prefix => {
      const session = replaySession(prefix)
      session.appendAll(interruptedTurnClosers(prefix))
      expect(JSON.stringify(session.events)).toBe(JSON.stringify(replaySession(repairLog(prefix)).events))
    }, 15)
  })

  it('no result claims more than the log proves (R4, R5)', () => {
    forEveryPrefix(prefix => {
      for (const closer of interruptedTurnClosers(prefix)) {
        if (closer.type !== 'tool/result') continue
        const { source } = closer.data.message
        if (source.kind !== 'tool') throw new Error('a result speaks of a call')
        expect(closer.data.error?.code).toBe(provenCode(prefix, source.callId))
      }
    })
  })
})

describe('the guards, over every log', () => {
  const model = scriptedModel([])
  const { signal } = new AbortController()

  it.each(['full', 'incremental'] as const)('read what the session derives, event by event (%s)', mode => {
    fc.assert(
      fc.property(randomLogs, events => {
        const session = replaySession([])
        const findings: Finding[] = []
        const collect = { policy: 'collect', on: (finding: Finding) => findings.push(finding) } as const
        guardSession(session, collect)
        const guarded = guardModel(model, session, { mode, ...collect })
        for (const event of events) {
          session.appendAll([event])
          const header = session.requestHeader()
          if (header === undefined) continue
          const messages = Object.freeze(session.deriveMessages())
          guarded.stream(Object.freeze({ ...header, messages, sessionId: session.id, signal }))
        }
        expect(findings).toEqual([])
      }),
      { numRuns: 15 },
    )
  })
})

/** What a log proves of an unanswered call, by plain search. Nothing where it holds the outcome itself. */
function provenCode(log: readonly SessionEvent[], callId: string): string | undefined {
  const asked = log.findIndex(
    event =>
      event.type === 'assistant/message' &&
      event.data.message.content.some(block => block.type === 'tool-call' && block.id === callId),
  )
  const after = log.slice(asked)
  if (after.some(event => event.type === 'tool/late' && JSON.stringify(event).includes(`"${callId}"`))) {
    return undefined
  }
  const call = after.find(event => event.type === 'tool/call' && event.data.callId === callId)
  if (call?.type === 'tool/call' && call.data.skipped === true) return 'ABORTED_BEFORE_DISPATCH'
  if (after.some(event => event.type === 'session/owner' && event.data.lostTail === true)) {
    return 'TOOL_OUTCOME_UNKNOWN'
  }
  if (call === undefined) return 'TOOL_NOT_STARTED'
  const turn = log.findLast(event => event.type === 'turn/start' && event.seq < call.seq)
  const marked = turn?.type === 'turn/start' && turn.data.dispatchMarked === true
  const dispatched = after.some(event => event.type === 'tool/dispatch' && event.data.callId === callId)
  return marked && !dispatched ? 'TOOL_NOT_STARTED' : 'TOOL_OUTCOME_UNKNOWN'
}
