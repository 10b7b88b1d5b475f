import { describe, expect, it } from 'vitest'
import {
  asks,
  answers,
  callBlock,
  calls,
  expectRefused,
  openStep,
  results,
  says,
  step,
} from '../test/conversation.js'
import type { EventDraft } from './event.js'

const dispatches = (callId: string): EventDraft => ({ type: 'tool/dispatch', data: { callId } })
const late = (callId: string): EventDraft => ({ ...results(callId), type: 'tool/late' })

describe('L1: a call is known by its block, and its id is used once', () => {
  it.each(['tool/call', 'tool/dispatch', 'tool/result', 'tool/late'])(
    'refuses a %s of an unknown call',
    type => {
      const drafts = [calls('x'), dispatches('x'), results('x'), late('x')]
      expectRefused(
        openStep(says('u'), asks('a', 'c')),
        drafts.filter(draft => draft.type === type),
        {
          code: 'CALL_CONFLICT',
          says: 'holds a call "x"',
        },
      )
    },
  )

  it('refuses a nested call and its result where the parent is unknown', () => {
    const session = openStep(asks('a', 'c'))
    const nested = { ...calls('n').data, parentCallId: 'x' }
    expectRefused(
      session,
      { type: 'tool/sub-call', data: nested },
      { code: 'CALL_CONFLICT', says: 'holds a call "x"' },
    )
    session.append('tool/sub-call', { ...nested, parentCallId: 'c' })
    const result = { ...results('n').data, parentCallId: 'x' }
    expectRefused(
      session,
      { type: 'tool/sub-result', data: result },
      { code: 'CALL_CONFLICT', says: 'a call "x"' },
    )
    session.append('tool/sub-result', { ...result, parentCallId: 'c' })
  })

  it('refuses a block whose id an earlier message used, answered or not, and names its seq', () => {
    const session = openStep(asks('a', 'c'), results('c'))
    expectRefused(session, asks('b', 'd', 'c'), {
      code: 'CALL_CONFLICT',
      says: 'used at seq 2',
      conflictSeq: 2,
    })
  })

  it('refuses an id twice in one message', () => {
    expectRefused(openStep(), asks('a', 'c', 'c'), { code: 'CALL_CONFLICT', says: 'twice in this message' })
  })

  it('refuses an id twice in one batch, and forgets the batch', () => {
    const session = openStep()
    const twice = [asks('a', 'c'), results('c'), asks('b', 'c')]
    expectRefused(session, twice, { code: 'CALL_CONFLICT', says: 'used at seq 2', conflictSeq: 2 })
    session.appendAll([asks('a', 'c'), calls('c'), results('c')])
  })
})

describe('L2: one tool/call, one dispatch, one result', () => {
  it('takes the whole life of a call', () => {
    const session = openStep(asks('a', 'c'), calls('c'), dispatches('c'), results('c'), late('c'))
    expect(session.events).toHaveLength(7)
  })

  it('takes a result without tool/call: repair answers calls that were never started', () => {
    expect(openStep(asks('a', 'c'), results('c')).deriveMessages()).toHaveLength(2)
  })

  it.each([
    ['tool/call', [calls('c')], calls('c'), 'tool/call at seq 3', 3],
    ['tool/call after the result', [calls('c'), results('c')], calls('c'), 'result at seq 4', 4],
    ['tool/dispatch', [calls('c'), dispatches('c')], dispatches('c'), 'dispatched at seq 4', 4],
    ['tool/dispatch after the result', [calls('c'), results('c')], dispatches('c'), 'result at seq 4', 4],
    ['tool/dispatch before tool/call', [], dispatches('c'), 'no tool/call yet', 2],
    ['tool/result', [results('c')], results('c'), 'result at seq 3', 3],
  ] as const)(
    'refuses a second or misplaced %s, naming the seq in the way',
    (...[, before, draft, words, conflictSeq]) => {
      const session = openStep(asks('a', 'c'), ...before)
      expectRefused(session, draft, { code: 'CALL_CONFLICT', says: words, conflictSeq })
    },
  )

  it('refuses a second result by a closer too', () => {
    const session = openStep(asks('a', 'c'), results('c'))
    expectRefused(
      session,
      { ...results('c'), closer: true },
      { code: 'CALL_CONFLICT', says: 'result', conflictSeq: 3 },
    )
  })

  it.each([{ name: 'other' }, { arguments: '{"a":1}' }])(
    'refuses a tool/call that differs from its block: %j',
    change => {
      const session = openStep(asks('a', 'c'))
      const draft: EventDraft = { type: 'tool/call', data: { ...calls('c').data, ...change } }
      expectRefused(session, draft, {
        code: 'CALL_CONFLICT',
        says: 'differ from what the model wrote',
        conflictSeq: 2,
      })
    },
  )

  it('takes results back with their batch: the call is unanswered again', () => {
    const session = openStep(asks('a', 'c'))
    const batch = [calls('c'), dispatches('c'), results('c'), results('c')]
    expectRefused(session, batch, { code: 'CALL_CONFLICT', says: 'result at seq 5', conflictSeq: 5 })
    expectRefused(session, says('u'), { code: 'SURFACE_CONFLICT', says: 'no result yet', conflictSeq: 2 })
    session.appendAll(batch.slice(0, 3))
  })
})

describe('L3: while a call is unanswered only results join the surface', () => {
  it.each([says('u'), answers('b', { type: 'text', text: 'b' }), asks('b', 'e')])('refuses $type', draft => {
    const session = openStep(asks('a', 'c', 'd'), results('d'))
    expectRefused(session, draft, {
      code: 'SURFACE_CONFLICT',
      says: 'call c of seq 2 has no result yet',
      conflictSeq: 2,
    })
    session.appendAll([results('c'), draft])
  })

  it('names the first unanswered call, also after a result of it was taken back', () => {
    const session = openStep(asks('a', 'c', 'd'))
    const refused = (says: string) => ({ code: 'SURFACE_CONFLICT', says, conflictSeq: 2 }) as const
    expectRefused(session, [results('c'), says('u')], refused('call d of seq 2'))
    expectRefused(session, says('u'), refused('call c of seq 2'))
  })

  it('refuses a message of repair as well', () => {
    const session = openStep(asks('a', 'c'))
    const draft = { ...answers('b'), closer: true } as const
    expectRefused(session, draft, { code: 'SURFACE_CONFLICT', says: 'no result yet', conflictSeq: 2 })
  })

  it('lets everything pass that is not on the surface', () => {
    const session = openStep(asks('a', 'c'))
    session.append('session/owner', { owner: 'me' })
    session.append('step/end', step)
    expect(session.events).toHaveLength(5)
  })

  it('holds in the next turn too, until repair has answered', () => {
    const session = openStep(asks('a', 'c'))
    session.append('step/end', step)
    session.append('turn/end', {
      turn: 0,
      reason: { kind: 'error', failure: { message: 'bug', code: 'UNKNOWN' } },
    })
    session.append('turn/start', { turn: 1 })
    expectRefused(session, says('u'), { code: 'SURFACE_CONFLICT', says: 'no result yet', conflictSeq: 2 })
    session.appendAll([{ ...results('c'), closer: true }, says('u')])
    expect(session.deriveMessages().map(({ id }) => id)).toEqual(['a', 'result_c', 'u'])
  })
})

it('an interrupted message with calls is refused: nobody could say what became of them', () => {
  const message = answers('a', callBlock('c'))
  const draft: EventDraft = { type: 'assistant/message', data: { ...message.data, interrupted: true } }
  expectRefused(openStep(), draft, { code: 'INVALID_EVENT', says: 'must not hold tool calls' })
})
