import { describe, expect, it } from 'vitest'
import {
  answers,
  asks,
  attempt,
  calls,
  chunk,
  expectRefused,
  openStep,
  results,
  step,
  textBlock,
} from '../test/conversation.js'
import type { EventDraft } from './event.js'
import { replaySession } from './create-session.js'

const starts = (turn: number): EventDraft => ({ type: 'turn/start', data: { turn } })
const ends = (turn: number): EventDraft => ({
  type: 'turn/end',
  data: { turn, reason: { kind: 'completed' } },
})
const stepStarts = (turn: number, number: number): EventDraft => ({
  type: 'step/start',
  data: { turn, step: number },
})
const stepEnds = (turn: number, number: number): EventDraft => ({
  type: 'step/end',
  data: { turn, step: number },
})

describe('B1: turns and steps are nested, and their numbers rise', () => {
  it('takes any number of turns and steps', () => {
    const session = replaySession([])
    session.appendAll([
      starts(0),
      ends(0),
      starts(1),
      stepStarts(1, 0),
      stepEnds(1, 0),
      stepStarts(1, 1),
      stepEnds(1, 1),
      ends(1),
    ])
    session.appendAll([starts(2), stepStarts(2, 0)])
    expect(session.events).toHaveLength(10)
  })

  it.each([
    ['a turn inside a turn', [starts(0)], starts(1), 'turn 0 is still open (seq 0)', 0],
    ['a turn number twice', [starts(0), ends(0)], starts(0), 'turn 0 cannot follow turn 0', undefined],
    ['a turn number that falls', [starts(3), ends(3)], starts(2), 'turn 2 cannot follow turn 3', undefined],
    ['the end of a turn that never began', [], ends(0), 'turn 0 is not open (open: none)', undefined],
    ['the end of another turn', [starts(1)], ends(0), 'turn 0 is not open (open: turn 1)', undefined],
    [
      'a turn end over an open step',
      [starts(0), stepStarts(0, 0)],
      ends(0),
      'step 0 is still open (seq 1)',
      1,
    ],
    ['a step outside of any turn', [], stepStarts(0, 0), '(open: none)', undefined],
    ['a step of another turn', [starts(1)], stepStarts(0, 0), '(open: turn 1)', undefined],
    [
      'a step inside a step',
      [starts(0), stepStarts(0, 0)],
      stepStarts(0, 1),
      'step 0 is still open (seq 1)',
      1,
    ],
    [
      'a step number twice',
      [starts(0), stepStarts(0, 0), stepEnds(0, 0)],
      stepStarts(0, 0),
      'step 0 cannot follow',
      undefined,
    ],
    [
      'the end of another step',
      [starts(0), stepStarts(0, 1)],
      stepEnds(0, 0),
      '(open: step 1 of turn 0)',
      undefined,
    ],
    [
      'the end of a closed step',
      [starts(0), stepStarts(0, 0), stepEnds(0, 0)],
      stepEnds(0, 0),
      '(open: none)',
      undefined,
    ],
  ] as const)('refuses %s', (...[, before, draft, says, conflictSeq]) => {
    const session = replaySession([])
    session.appendAll(before)
    const refusal = { code: 'STEP_NOT_OPEN', says: new RegExp(escape(says)) } as const
    expectRefused(session, draft, conflictSeq === undefined ? refusal : { ...refusal, conflictSeq })
  })

  it('refuses the same of closers: repair closes what is open, in order', () => {
    const draft: EventDraft = { type: 'step/end', data: { turn: 0, step: 1 }, closer: true }
    expectRefused(openStep(), draft, { code: 'STEP_NOT_OPEN', says: 'not open' })
  })

  it('takes the boundaries of a refused batch back', () => {
    const session = openStep()
    expectRefused(session, [stepEnds(0, 0), ends(0), starts(1), starts(2)], {
      code: 'STEP_NOT_OPEN',
      says: 'turn 1 is still open',
      conflictSeq: 4,
    })
    session.appendAll([chunk('still in step 0')])
  })
})

describe('B2: what names a step names the open one', () => {
  const scoped: readonly EventDraft[] = [
    { type: 'attempt/start', data: attempt },
    { type: 'attempt/end', data: attempt },
    chunk('x'),
    answers('b', textBlock('b')),
    calls('c'),
    results('c'),
    { type: 'tool/sub-call', data: { ...calls('n').data, parentCallId: 'c' } },
    { type: 'tool/sub-result', data: { ...results('n').data, parentCallId: 'c' } },
  ]
  const closedStep = () => {
    const session = openStep(asks('a', 'c'))
    session.append('step/end', step)
    return session
  }

  it.each(scoped)('refuses $type after its step has ended', draft => {
    expectRefused(closedStep(), draft, {
      code: 'STEP_NOT_OPEN',
      says: 'names step 0 of turn 0, which is not open',
    })
  })

  it.each(scoped)('refuses $type in another step', draft => {
    const session = closedStep()
    session.append('step/start', { turn: 0, step: 1 })
    expectRefused(session, draft, { code: 'STEP_NOT_OPEN', says: 'open: step 1 of turn 0' })
  })

  it('exempts closers, in closed steps and in closed turns', () => {
    const session = closedStep()
    session.appendAll([ends(0), { ...results('c'), closer: true }])
    session.appendAll([{ ...answers('b', textBlock('salvaged')), closer: true }])
    expect(session.deriveMessages()).toHaveLength(3)
  })

  it('exempts tool/late, which comes when it comes', () => {
    const session = closedStep()
    session.appendAll([ends(0), { ...results('c'), type: 'tool/late' }])
    expect(session.events.at(-1)?.type).toBe('tool/late')
  })
})

function escape(text: string): string {
  return text.replace(/[()]/g, '\\$&')
}
