import type { EventDraft, SessionEvent } from '@agent-spine/session'
import { describe, expect, it } from 'vitest'
import { auditLog, classifyLog } from './audit-log.js'
import {
  assistantDraft,
  callBlock,
  dispatch,
  result,
  resultMessage,
  soundDrafts,
  toolCall,
  userDraft,
  writeLog,
} from './sample-log.js'

/** What the audit says of the sound log with its events from `seq` on replaced by `drafts`. */
function codesAfter(seq: number, ...drafts: EventDraft[]): string[] {
  return auditLog(writeLog([...soundDrafts.slice(0, seq), ...drafts])).map(
    finding => `${finding.code} ${finding.seq}`,
  )
}

const attemptStart = (attempt: number): EventDraft => ({
  type: 'attempt/start',
  data: { turn: 0, step: 0, attempt },
})
const attemptEnd = (attempt: number): EventDraft => ({
  type: 'attempt/end',
  data: { turn: 0, step: 0, attempt },
})
const chunkOf = (attempt: number): EventDraft => ({
  type: 'assistant/chunk',
  data: { turn: 0, step: 0, attempt, chunk: { type: 'text-delta', index: 0, text: 'x' } },
})
const stepEnd: EventDraft = { type: 'step/end', data: { turn: 0, step: 0 } }
const turnEnd: EventDraft = { type: 'turn/end', data: { turn: 0, reason: { kind: 'completed' } } }
const text = { type: 'text', text: 'xx' } as const

it('a sound log has no findings, at any cut', () => {
  const events = writeLog(soundDrafts)
  for (let length = 0; length <= events.length; length++)
    expect(auditLog(events.slice(0, length))).toEqual([])
})

describe('order', () => {
  it('a missing event is a gap (B1)', () => {
    const events = writeLog(soundDrafts).filter(({ seq }) => seq !== 5)
    expect(auditLog(events).map(({ code, seq }) => [code, seq])).toContainEqual(['SEQ_ORDER', 6])
  })

  it.each([
    ['itself', [13]],
    ['the future', [9, 40]],
    ['the past in disorder', [9, 7]],
    ['the same event twice', [9, 9]],
  ])('a citation of %s is refused (B1)', (_name, sourceEventSeqs) => {
    expect(codesAfter(13, { ...result('a', 9), sourceEventSeqs })).toContain('CITATION 13')
  })

  it.each<[string, number, EventDraft[], string[]]>([
    ['a turn inside a turn (B2)', 3, [{ type: 'turn/start', data: { turn: 1 } }], ['TURN_ORDER 3']],
    ['a turn number that was used (B2)', 23, [{ type: 'turn/start', data: { turn: 0 } }], ['TURN_ORDER 23']],
    [
      'the end of another turn (B2)',
      22,
      [{ type: 'turn/end', data: { turn: 4, reason: { kind: 'completed' } } }],
      ['TURN_ORDER 22'],
    ],
    ['the end of a turn with an open step (B2)', 15, [turnEnd], ['TURN_ORDER 15']],
    ['a step outside a turn (B2)', 0, [{ type: 'step/start', data: { turn: 0, step: 0 } }], ['STEP_ORDER 0']],
    ['a step inside a step (B2)', 2, [{ type: 'step/start', data: { turn: 0, step: 1 } }], ['STEP_ORDER 2']],
    [
      'a step number that was used (B2)',
      16,
      [{ type: 'step/start', data: { turn: 0, step: 0 } }],
      ['STEP_ORDER 16'],
    ],
    [
      'the end of another step (B2)',
      15,
      [{ type: 'step/end', data: { turn: 0, step: 1 } }],
      ['STEP_ORDER 15'],
    ],
    ['an event of a closed step (B3)', 16, [attemptStart(1)], ['STEP_SCOPE 16']],
    ['a late outcome after its turn (B3)', 23, [{ type: 'tool/late', data: result('a', 9).data }], []],
  ])('%s', (...[, seq, drafts, expected]) => {
    expect(codesAfter(seq, ...drafts)).toEqual(expected)
  })

  it('step numbers begin again with each turn (B2)', () => {
    const turnStart: EventDraft = { type: 'turn/start', data: { turn: 1 } }
    expect(codesAfter(23, turnStart, { type: 'step/start', data: { turn: 1, step: 0 } })).toEqual([])
  })

  it('a closer may speak of a closed step (B3)', () => {
    expect(codesAfter(13, stepEnd, turnEnd, result('a', 9))).toEqual(['STEP_SCOPE 15'])
    expect(codesAfter(13, stepEnd, turnEnd, { ...result('a', 9), closer: true })).toEqual([])
  })
})

describe('model calls', () => {
  it.each<[string, number, EventDraft[], string[]]>([
    ['a second attempt at a time (A1)', 5, [attemptStart(1)], ['ATTEMPT_ORDER 5']],
    ['a retry (A1)', 5, [attemptEnd(0), attemptStart(1), chunkOf(1)], []],
    ['an attempt number that was used (A1)', 5, [attemptEnd(0), attemptStart(0)], ['ATTEMPT_ORDER 6']],
    ['an attempt after the message of its step (A1)', 9, [attemptStart(1)], ['ATTEMPT_ORDER 9']],
    ['an end without an attempt (A1)', 9, [attemptEnd(0)], ['ATTEMPT_ORDER 9']],
    ['a chunk without an attempt (A2)', 4, [chunkOf(0)], ['ATTEMPT_ORDER 4']],
    ['a chunk of another attempt (A2)', 5, [chunkOf(1)], ['ATTEMPT_ORDER 5']],
    ['a chunk after the end (A2)', 5, [attemptEnd(0), chunkOf(0)], ['ATTEMPT_ORDER 6']],
    ['a chunk after the message (A2)', 8, [chunkOf(0)], ['ATTEMPT_ORDER 8']],
    ['a message that leaves a chunk out (A3)', 7, [assistantDraft(0, [text], [6])], ['CHUNK_CITATION 7']],
    [
      'a message that leaves the last chunk out (A3)',
      7,
      [assistantDraft(0, [text], [5])],
      ['CHUNK_CITATION 7'],
    ],
    [
      'a message that cites what is no chunk (A3)',
      7,
      [assistantDraft(0, [text], [2, 5, 6])],
      ['CHUNK_CITATION 7'],
    ],
    ['a message that ends its attempt first (A3)', 7, [attemptEnd(0), assistantDraft(0, [text], [5, 6])], []],
    [
      'a second message of an attempt (A1)',
      8,
      [assistantDraft(0, [text], [5, 6])],
      ['BATCH_SPLIT 8', 'ATTEMPT_ORDER 8'],
    ],
    ['a message without an attempt (A3)', 4, [assistantDraft(0, [text], [])], []],
  ])('%s', (...[, seq, drafts, expected]) => {
    expect(codesAfter(seq, ...drafts).sort()).toEqual([...expected].sort())
  })

  it('a closer does not end the attempt of another step or turn (A1)', () => {
    const end = (turn: number, step: number): EventDraft => ({
      type: 'attempt/end',
      data: { turn, step, attempt: 0 },
      closer: true,
    })
    expect(codesAfter(5, end(0, 0))).toEqual([])
    expect(codesAfter(5, end(0, 1))).toEqual(['ATTEMPT_ORDER 5'])
    expect(codesAfter(5, end(1, 0))).toEqual(['ATTEMPT_ORDER 5'])
  })

  it('a message may not cite the chunks of an attempt that was retried (A3)', () => {
    const retried = [attemptEnd(0), attemptStart(1), chunkOf(1)]
    expect(codesAfter(7, ...retried, assistantDraft(0, [text], [9]))).toEqual([])
    expect(codesAfter(7, ...retried, assistantDraft(0, [text], [5, 6, 9]))).toEqual(['CHUNK_CITATION 10'])
  })
})

describe('calls', () => {
  const answered = [result('a', 9), result('b', 11)]
  const interrupted = assistantDraft(0, [callBlock('a')], [5, 6])

  it.each<[string, number, EventDraft[], string[]]>([
    ['a call id that was used before (C1)', 19, [assistantDraft(1, [callBlock('a')], [18])], ['CALL_ID 19']],
    [
      'a call id twice in a message (C1)',
      7,
      [assistantDraft(0, [callBlock('a'), callBlock('a')], [5, 6])],
      ['CALL_ID 7'],
    ],
    ['an empty call id (C1)', 7, [assistantDraft(0, [callBlock('')], [5, 6])], ['CALL_ID 7']],
    [
      'a call in an interrupted message (C1)',
      7,
      [{ ...interrupted, data: { ...interrupted.data, interrupted: true } }],
      ['CALL_ORDER 7'],
    ],
    ['a tool/call nobody asked for (C1)', 9, [toolCall('z')], ['CALL_UNKNOWN 9']],
    ['a result nobody asked for (C1)', 13, [result('z', 9)], ['CALL_UNKNOWN 13']],
    [
      'a late outcome nobody asked for (C1)',
      13,
      [{ type: 'tool/late', data: result('z', 9).data }],
      ['CALL_UNKNOWN 13'],
    ],
    ['a second tool/call (C2)', 10, [toolCall('a')], ['CALL_ORDER 10']],
    ['a dispatch before its tool/call (C2)', 9, [dispatch('a')], ['CALL_ORDER 9']],
    ['a second dispatch (C2)', 11, [dispatch('a')], ['CALL_ORDER 11']],
    ['a dispatch after the result (C2)', 14, [dispatch('a')], ['RESULT_REPEATED 14']],
    ['a second result (C3)', 14, [result('a', 9)], ['RESULT_REPEATED 14']],
    ['results out of order (C3)', 13, [result('b', 11), result('a', 9)], ['RESULT_ORDER 13']],
    ['a result that cites another call (C3)', 13, [result('a', 11)], ['RESULT_CITATION 13']],
    ['a result that cites its message past its tool/call (C3)', 13, [result('a', 7)], ['RESULT_CITATION 13']],
    ['a result that cites its message for want of a tool/call (C3)', 9, [result('a', 7)], []],
    ['a user message between call and result (C4)', 14, [userDraft('u')], ['BATCH_SPLIT 14']],
    [
      'an answer between call and result (C4)',
      14,
      [stepEnd, { type: 'step/start', data: { turn: 0, step: 1 } }, assistantDraft(1, [text], [])],
      ['BATCH_SPLIT 16'],
    ],
    ['a user message after the last result (C4)', 15, [userDraft('u')], []],
    ['both results', 13, answered, []],
  ])('%s', (...[, seq, drafts, expected]) => {
    expect(codesAfter(seq, ...drafts)).toEqual(expected)
  })

  it.each<[string, Partial<SessionEvent<'tool/call'>['data']>]>([
    ['name', { name: 'write' }],
    ['arguments', { arguments: '{"all":true}' }],
    ['provider id', { providerId: 'other' }],
  ])('a tool/call with another %s than the model wrote (C2)', (_name, change) => {
    const call: EventDraft = {
      type: 'tool/call',
      data: { turn: 0, step: 0, callId: 'a', name: 'read', arguments: '{}', ...change },
    }
    expect(codesAfter(9, call)).toEqual(['CALL_ALTERED 9'])
  })

  it('a skipped call is not dispatched (C2)', () => {
    const skipped: EventDraft = {
      type: 'tool/call',
      data: { turn: 0, step: 0, callId: 'a', name: 'read', arguments: '{}', skipped: true },
    }
    expect(codesAfter(9, skipped, dispatch('a'))).toEqual(['CALL_ORDER 10'])
  })

  it('a result that answers twice in one message answers none (C3)', () => {
    const one = resultMessage('a')
    const message = { ...one, content: [...one.content, ...one.content] }
    const draft: EventDraft = {
      type: 'tool/result',
      data: { turn: 0, step: 0, message },
      sourceEventSeqs: [9],
    }
    expect(codesAfter(13, draft)).toEqual(['CALL_UNKNOWN 13'])
  })

  it('a result whose block and source name different calls answers none (C3)', () => {
    const { turn, step } = { turn: 0, step: 0 }
    const message = { ...resultMessage('a'), source: { kind: 'tool', callId: 'b' } as const }
    expect(
      codesAfter(13, { type: 'tool/result', data: { turn, step, message }, sourceEventSeqs: [9] }),
    ).toEqual(['CALL_UNKNOWN 13'])
  })
})

describe('a surface replacement', () => {
  const replace = (start: number, end: number): EventDraft => ({
    ...userDraft('summary'),
    surfaceOp: { replace: { start, end } },
  })

  it.each<[string, number, number, string[]]>([
    ['of a whole batch (U3)', 7, 14, []],
    ['of everything (U3)', 2, 19, []],
    ['that starts between a call and its result (U3)', 13, 14, ['SURFACE_RANGE 23']],
    ['that ends between two results (U3)', 2, 13, ['SURFACE_RANGE 23']],
    ['that ends between a call and its result (U3)', 2, 7, ['SURFACE_RANGE 23']],
    ['of what is not on the surface (U3)', 3, 14, ['SURFACE_RANGE 23']],
    ['whose end is not on the surface (U3)', 2, 4, ['SURFACE_RANGE 23']],
    ['whose range runs backwards (U3)', 19, 2, ['SURFACE_RANGE 23']],
  ])('%s', (...[, start, end, expected]) => {
    expect(codesAfter(23, replace(start, end))).toEqual(expected)
  })

  it('of what an earlier one took away (U3)', () => {
    expect(codesAfter(23, replace(7, 14), replace(2, 14))).toEqual(['SURFACE_RANGE 24'])
    expect(codesAfter(23, replace(7, 14), replace(2, 23))).toEqual([])
  })

  it('by a message with calls (U3)', () => {
    const draft = assistantDraft(1, [callBlock('c')], [18])
    expect(codesAfter(19, { ...draft, surfaceOp: { replace: { start: 2, end: 14 } } })).toEqual([
      'SURFACE_RANGE 19',
    ])
  })
})

describe('classifyLog', () => {
  it('calls a finished log sound', () => {
    expect(classifyLog(writeLog(soundDrafts))).toEqual({ verdict: 'sound', violations: [], open: [] })
  })

  it('tells what an open tail leaves open, and that this is no violation', () => {
    const { verdict, violations, open } = classifyLog(writeLog(soundDrafts.slice(0, 14)))
    expect(verdict).toBe('needs-repair')
    expect(violations).toEqual([])
    expect(open.map(({ code, seq }) => [code, seq])).toEqual([
      ['OPEN_TURN', 0],
      ['OPEN_STEP', 1],
      ['OPEN_CALL', 11],
    ])
  })

  it('names an attempt that was not ended', () => {
    const { open } = classifyLog(writeLog(soundDrafts.slice(0, 7)))
    expect(open.map(({ code, seq }) => [code, seq])).toContainEqual(['OPEN_ATTEMPT', 4])
  })

  it('calls an unanswered call of a closed turn a case for repair', () => {
    const { verdict, open } = classifyLog(writeLog([...soundDrafts.slice(0, 9), stepEnd, turnEnd]))
    expect(verdict).toBe('needs-repair')
    expect(open.map(({ code, seq }) => [code, seq])).toEqual([
      ['OPEN_CALL', 7],
      ['OPEN_CALL', 7],
    ])
  })

  it('does not take a contradiction for a case for repair', () => {
    expect(classifyLog(writeLog([...soundDrafts.slice(0, 14), userDraft('u')])).verdict).toBe('violated')
  })
})
