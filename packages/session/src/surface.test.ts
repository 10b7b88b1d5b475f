import { describe, expect, it } from 'vitest'
import {
  answers,
  asks,
  callBlock,
  expectRefused,
  openStep,
  results,
  says,
  textBlock,
  userMessage,
} from '../test/conversation.js'
import { deriveMessages } from './derive.js'
import type { EventDraft } from './event.js'
import type { Session } from './session.js'

function summary(id: string, start: number, end: number): EventDraft {
  return { type: 'user/message', data: { message: userMessage(id) }, surfaceOp: { replace: { start, end } } }
}

function ids(session: Session): string[] {
  const live = session.deriveMessages().map(({ id }) => id)
  expect(deriveMessages(session.events).map(({ id }) => id)).toEqual(live)
  return live
}

/** Seqs 2 to 7: u0, a0 with call c, its result, a1, u1, a2. */
function conversation(): Session {
  return openStep(says('u0'), asks('a0', 'c'), results('c'), asks('a1'), says('u1'), asks('a2'))
}

describe('F1: replace puts an event where a range stood', () => {
  it('keeps the place, the rest, and the replaced events in the log', () => {
    const session = conversation()
    session.deriveMessages()
    session.appendAll([summary('s', 2, 5)])
    expect(ids(session)).toEqual(['s', 'u1', 'a2'])
    expect(session.events).toHaveLength(9)
    session.appendAll([says('u2')])
    expect(ids(session)).toEqual(['s', 'u1', 'a2', 'u2'])
  })

  it('replaces one event, the end, and everything', () => {
    const session = conversation()
    session.appendAll([summary('one', 6, 6)])
    expect(ids(session)).toEqual(['u0', 'a0', 'result_c', 'a1', 'one', 'a2'])
    session.appendAll([summary('end', 8, 7)])
    expect(ids(session)).toEqual(['u0', 'a0', 'result_c', 'a1', 'end'])
    session.appendAll([summary('all', 2, 9)])
    expect(ids(session)).toEqual(['all'])
  })

  it('says append in the event where nothing else was said, and nothing off the surface', () => {
    const events = conversation().events
    expect(events.map(({ surfaceOp }) => surfaceOp)).toEqual([
      undefined,
      undefined,
      ...Array<string>(6).fill('append'),
    ])
  })
})

describe('F2: ranges name events on the surface, in surface order', () => {
  it.each([
    ['a start that was replaced', summary('x', 2, 6), 'seq 2 is not on the surface', 2],
    ['an end that was replaced', summary('x', 8, 3), 'seq 3 is not on the surface', 3],
    ['a start that was never on it', summary('x', 0, 6), 'seq 0 is not on the surface', 0],
    ['a range that runs backwards', summary('x', 7, 8), 'seq 7 comes after seq 8', 7],
  ] as const)('refuses %s', (...[, draft, words, conflictSeq]) => {
    const session = conversation()
    session.appendAll([summary('s', 2, 5)])
    expectRefused(session, draft, { code: 'SURFACE_CONFLICT', says: words, conflictSeq })
  })

  it.each([
    { replace: { start: 8, end: 8 } },
    { replace: { start: -1, end: 2 } },
    { replace: { start: 2, end: 2.5 } },
    { replace: { start: 2 } },
    { replace: null },
    'prepend',
    null,
  ])('refuses %j as malformed', surfaceOp => {
    const draft = { ...says('x'), surfaceOp } as unknown as EventDraft
    expectRefused(conversation(), draft, { code: 'INVALID_EVENT', says: 'surfaceOp must be' })
  })
})

describe('F3: a call and its result stay together', () => {
  it('refuses an edge between a call and its result', () => {
    expectRefused(conversation(), summary('x', 2, 3), {
      code: 'SURFACE_CONFLICT',
      says: 'ends between a call and its result, which is seq 4',
      conflictSeq: 4,
    })
    expectRefused(conversation(), summary('x', 4, 6), {
      code: 'SURFACE_CONFLICT',
      says: 'starts between a call and its result, which is seq 4',
      conflictSeq: 4,
    })
  })

  it('refuses an edge between the results of one message', () => {
    const session = openStep(says('u'), asks('a', 'c', 'd'), results('c'), results('d'), says('v'))
    expectRefused(session, summary('x', 2, 4), {
      code: 'SURFACE_CONFLICT',
      says: 'ends between',
      conflictSeq: 5,
    })
    expectRefused(session, summary('x', 5, 6), {
      code: 'SURFACE_CONFLICT',
      says: 'starts between',
      conflictSeq: 5,
    })
    session.appendAll([summary('s', 3, 5)])
    expect(ids(session)).toEqual(['u', 's', 'v'])
  })

  it('refuses any replacement while a call is unanswered', () => {
    const session = openStep(says('u'), asks('a', 'c'))
    expectRefused(session, summary('x', 2, 2), {
      code: 'SURFACE_CONFLICT',
      says: 'no result yet',
      conflictSeq: 3,
    })
  })

  it('refuses a replacement that is a result or holds a call', () => {
    const replace = { surfaceOp: { replace: { start: 2, end: 2 } } }
    const words = { code: 'SURFACE_CONFLICT', says: 'neither calls nor results' } as const
    expectRefused(openStep(says('u')), { ...answers('x', callBlock('d')), ...replace }, words)
    expectRefused(openStep(says('u'), asks('a', 'c')), { ...results('c'), ...replace }, words)
  })

  it('takes an assistant message without calls as a replacement', () => {
    const session = openStep(says('u'), answers('long', textBlock('long')))
    session.appendAll([
      { ...answers('short', textBlock('short')), surfaceOp: { replace: { start: 3, end: 3 } } },
    ])
    expect(ids(session)).toEqual(['u', 'short'])
  })
})

it('takes replacements back with their batch', () => {
  const session = conversation()
  expectRefused(session, [summary('s', 2, 5), says('u2'), summary('t', 3, 3)], {
    code: 'SURFACE_CONFLICT',
    says: 'seq 3 is not on the surface',
    conflictSeq: 3,
  })
  session.appendAll([summary('s', 3, 5)])
  expect(ids(session)).toEqual(['u0', 's', 'u1', 'a2'])
})

it('an event that no model sees has no place on the surface', () => {
  const draft = { type: 'session/owner', data: { owner: 'me' }, surfaceOp: 'append' } as const
  expectRefused(openStep(), draft, { code: 'INVALID_EVENT', says: 'no place on the surface' })
})
