import { LlmError } from '@agent-spine/model'
import { replaySession, type EventDraft, type Session } from '@agent-spine/session'
import { describe, expect, it, vi } from 'vitest'
import type { Finding } from './finding.js'
import { guardSession } from './guard-session.js'
import { result, soundDrafts, userDraft, writeLog } from './sample-log.js'

const upTo = (seq: number): Session => replaySession(writeLog(soundDrafts.slice(0, seq)))
const rest = (from: number, to?: number): readonly EventDraft[] => soundDrafts.slice(from, to)

/** Violations that the session itself lets pass: it does not know what a citation is for. */
const wrongCitation: EventDraft = { ...result('a', 11), sourceEventSeqs: [11] }
const outOfOrder = result('b', 11)

function codeOf(action: () => unknown): string | undefined {
  try {
    action()
    return undefined
  } catch (error) {
    if (LlmError.is(error)) return error.code
    throw error
  }
}

describe('guardSession', () => {
  it('lets a sound log pass, event by event and as one batch', () => {
    const one = replaySession([])
    guardSession(one)
    for (const draft of soundDrafts) one.appendAll([draft])
    const other = replaySession([])
    guardSession(other)
    other.appendAll(soundDrafts)
    expect(one.events.length).toBe(soundDrafts.length)
    expect(other.events.length).toBe(soundDrafts.length)
  })

  it('vetoes a violating append before it commits', () => {
    const session = upTo(13)
    guardSession(session)
    expect(codeOf(() => session.appendAll([wrongCitation]))).toBe('INVARIANT_VIOLATION')
    expect(session.events.length).toBe(13)
  })

  it('vetoes the whole batch for its last event, and judges the next one afresh', () => {
    const session = upTo(13)
    guardSession(session)
    expect(codeOf(() => session.appendAll([result('a', 9), result('b', 9)]))).toBe('INVARIANT_VIOLATION')
    session.appendAll(rest(13))
    expect(session.events.length).toBe(soundDrafts.length)
  })

  it('forgets a batch that another guard vetoed', () => {
    const session = upTo(7)
    guardSession(session)
    const release = session.guard(() => {
      throw new Error('not now')
    })
    expect(() => session.appendAll(rest(7, 15))).toThrow('not now')
    release()
    session.appendAll(rest(7))
    expect(session.events.length).toBe(soundDrafts.length)
  })

  it('picks up where the log stands', () => {
    const session = upTo(12)
    guardSession(session)
    session.appendAll(rest(12))
    expect(session.events.length).toBe(soundDrafts.length)
  })

  it('knows the call ids of the history it was given', () => {
    const session = upTo(13)
    guardSession(session)
    expect(codeOf(() => session.appendAll([outOfOrder]))).toBe('INVARIANT_VIOLATION')
    session.appendAll(rest(13))
    const late: EventDraft = { type: 'tool/late', data: result('a', 9).data }
    session.appendAll([late, late])
    expect(session.events.length).toBe(soundDrafts.length + 2)
  })

  it('judges a replacement by the surface that its own batch has made', () => {
    const session = upTo(23)
    guardSession(session)
    const summary = (id: string, start: number, end: number): EventDraft => ({
      ...userDraft(id),
      surfaceOp: { replace: { start, end } },
    })
    session.appendAll([userDraft('u'), summary('s', 2, 23)])
    session.appendAll([summary('t', 24, 24)])
    expect(session.deriveMessages().map(({ id }) => id)).toEqual(['t'])
  })

  it('keeps the surface of a batch that was vetoed apart', () => {
    const session = upTo(13)
    guardSession(session)
    session.appendAll([result('a', 9), result('b', 11)])
    session.appendAll(rest(15))
    const summary: EventDraft = { ...userDraft('s'), surfaceOp: { replace: { start: 7, end: 14 } } }
    const unasked: EventDraft = { type: 'attempt/end', data: { turn: 0, step: 0, attempt: 0 }, closer: true }
    expect(codeOf(() => session.appendAll([summary, unasked]))).toBe('INVARIANT_VIOLATION')
    session.appendAll([summary])
    expect(session.deriveMessages().map(({ id }) => id)).toEqual(['user_0', 's', 'assistant_0_1_0'])
  })

  it('ends when it is released', () => {
    const session = upTo(13)
    guardSession(session)()
    session.appendAll([wrongCitation])
    expect(session.events.length).toBe(14)
  })
})

describe('policies', () => {
  it('collect hands findings over and lets the append pass', () => {
    const session = upTo(13)
    const findings: Finding[] = []
    guardSession(session, { policy: 'collect', on: finding => findings.push(finding) })
    session.appendAll([outOfOrder, wrongCitation])
    expect(findings.map(({ code, seq }) => [code, seq])).toEqual([
      ['RESULT_ORDER', 13],
      ['RESULT_CITATION', 14],
    ])
    expect(session.events.length).toBe(15)
  })

  it('warn says it on the console and lets the append pass', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const session = upTo(13)
    guardSession(session, { policy: 'warn' })
    session.appendAll([outOfOrder])
    expect(warn.mock.calls).toEqual([['RESULT_ORDER at seq 13: expected the result of call a, found b']])
    expect(session.events.length).toBe(14)
    warn.mockRestore()
  })

  it('throw hands every finding over first, and names how many there are', () => {
    const session = upTo(13)
    const findings: Finding[] = []
    guardSession(session, { on: finding => findings.push(finding) })
    expect(() => session.appendAll([outOfOrder, wrongCitation])).toThrow(/RESULT_ORDER at seq 13.*and 1 more/)
    expect(findings.length).toBe(2)
  })
})
