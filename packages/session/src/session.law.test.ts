import type { Message } from '@agent-spine/model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answers, asks, calls, chunk, results, says, step, textBlock } from '../test/conversation.js'
import {
  deriveMessages,
  EventRefusedError,
  replaySession,
  type EventDraft,
  type Session,
  type SessionEvent,
} from './index.js'

/**
 * Laws over random drafts, good and bad. The oracle knows nothing of the package: it folds the accepted events again
 * from the start, each time, with quadratic code that is too plain to be wrong.
 */

const id = fc.constantFrom('c', 'd', 'e', 'f', 'g', 'h')
const text = fc.constantFrom('', ' ', '\n', 'x', ' y ')

/** A result of this call means one of whichever call waits first. */
const waiting = 'waiting'
/** Range ends below this mean positions on the surface, round and round; others mean what they say. */
const positions = 30

const draft: fc.Arbitrary<EventDraft> = fc.oneof(
  { weight: 30, arbitrary: fc.constant(says('u')) },
  { weight: 20, arbitrary: fc.uniqueArray(id, { maxLength: 2 }).map(ids => asks('a', ...ids)) },
  {
    weight: 30,
    arbitrary: fc
      .record({ one: text, two: text, signed: fc.boolean(), interrupted: fc.boolean() })
      .map(answered),
  },
  { weight: 80, arbitrary: fc.constant(results(waiting)) },
  { weight: 20, arbitrary: fc.tuple(id, fc.boolean()).map(([callId, closer]) => resulted(callId, closer)) },
  { weight: 20, arbitrary: id.map(calls) },
  { weight: 10, arbitrary: id.map((callId): EventDraft => ({ type: 'tool/dispatch', data: { callId } })) },
  { weight: 10, arbitrary: fc.constant(chunk('x')) },
  { weight: 80, arbitrary: fc.tuple(fc.nat(40), fc.nat(40)).map(([start, end]) => replaced(start, end)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<EventDraft>(
      { type: 'step/end', data: step },
      { type: 'step/start', data: { turn: 0, step: 1 } },
    ),
  },
)

function answered(of: { one: string; two: string; signed: boolean; interrupted: boolean }): EventDraft {
  const reasoning = { type: 'reasoning' as const, text: of.one, ...(of.signed && { replay: 1 }) }
  const { data } = answers('b', reasoning, textBlock(of.two))
  return { type: 'assistant/message', data: { ...data, ...(of.interrupted && { interrupted: true }) } }
}

function resulted(callId: string, closer: boolean): EventDraft {
  return { ...results(callId), ...(closer && { closer: true }) }
}

function replaced(start: number, end: number): EventDraft {
  return { ...says('s'), surfaceOp: { replace: { start, end } } }
}

/** Aims a random draft at the log as it is. */
function aimed(draft: EventDraft, events: readonly SessionEvent[]): EventDraft {
  const surface = naiveSurface(events)
  if (draft.type === 'tool/result' && JSON.stringify(draft).includes(waiting)) {
    const answeredIds = new Set(surface.map(({ data }) => data.message.id))
    const asked = surface.flatMap(({ data }) =>
      data.message.content.flatMap(part => ('name' in part ? [part.id] : [])),
    )
    return results(asked.find(callId => !answeredIds.has(`result_${callId}`)) ?? 'none')
  }
  if (typeof draft.surfaceOp !== 'object' || surface.length === 0) return draft
  const seqAt = (position: number) =>
    position < positions ? (surface[position % surface.length]?.seq ?? 0) : position
  const { start, end } = draft.surfaceOp.replace
  return { ...draft, surfaceOp: { replace: { start: seqAt(start), end: seqAt(end) } } }
}

const batch = fc.oneof(
  { weight: 4, arbitrary: draft.map(each => [each]) },
  { weight: 1, arbitrary: fc.array(draft, { maxLength: 3 }) },
)
const script = fc.array(batch, { maxLength: 40, size: 'max' })

function opened(): Session {
  const session = replaySession([], { clock: () => 1 })
  session.appendAll([
    { type: 'turn/start', data: { turn: 0 } },
    { type: 'step/start', data: step },
  ])
  return session
}

function tryBatch(session: Session, batch: readonly EventDraft[]): string {
  const before = [...session.events]
  const result = outcome(() => session.appendAll(batch.map(each => aimed(each, session.events))))
  if (result !== 'accepted') expect(session.events).toEqual(before)
  return result
}

describe('for any drafts', () => {
  it('derived messages are what the naive fold of the accepted events gives', () => {
    fc.assert(
      fc.property(script, batches => {
        const session = opened()
        for (const batch of batches) {
          tryBatch(session, batch)
          const expected = naiveMessages(session.events)
          expect(session.deriveMessages()).toEqual(expected)
          expect(deriveMessages(session.events)).toEqual(expected)
        }
      }),
      { numRuns: 100 },
    )
  })

  it('the surface holds every call next to its results, each call once, nothing buried', () => {
    fc.assert(
      fc.property(script, batches => {
        const session = opened()
        for (const batch of batches) tryBatch(session, batch)
        expect(brokenPairing(naiveSurface(session.events))).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  it('a batch is accepted exactly when its drafts are accepted one by one', () => {
    fc.assert(
      fc.property(script, fc.array(draft, { maxLength: 4 }), (batches, last) => {
        const session = opened()
        for (const batch of batches) tryBatch(session, batch)
        const drafts = last.map(each => aimed(each, session.events))
        const single = replaySession(session.events, { clock: () => 1 })
        const oneByOne = outcome(() => drafts.forEach(each => single.appendAll([each])))
        const whole = outcome(() => session.appendAll(drafts))
        // Which of several faults is named may differ: shapes are looked at before rules.
        expect(whole === 'accepted').toBe(oneByOne === 'accepted')
      }),
      { numRuns: 100 },
    )
  })

  it('a refusal leaves nothing behind: the session goes on as its replay does', () => {
    fc.assert(
      fc.property(script, script, (first, second) => {
        const session = opened()
        for (const batch of first) tryBatch(session, batch)
        const replayed = replaySession(session.events, { clock: () => 1 })
        for (const batch of second) expect(tryBatch(session, batch)).toEqual(tryBatch(replayed, batch))
        expect(replayed.events).toEqual(session.events)
        expect(replayed.deriveMessages()).toEqual(session.deriveMessages())
      }),
      { numRuns: 60 },
    )
  })

  it('the drafts meet both fates often enough for these laws to say something', () => {
    const fates = { accepted: 0, refused: 0, replaced: 0, answered: 0 }
    fc.assert(
      fc.property(script, batches => {
        const session = opened()
        for (const batch of batches) fates[tryBatch(session, batch) === 'accepted' ? 'accepted' : 'refused']++
        fates.replaced += session.events.filter(({ surfaceOp }) => typeof surfaceOp === 'object').length
        fates.answered += session.events.filter(({ type }) => type === 'tool/result').length
      }),
      { numRuns: 100, seed: 7 },
    )
    expect(Object.entries(fates).filter(([, count]) => count < 50)).toEqual([])
  })
})

function outcome(append: () => unknown): string {
  try {
    append()
    return 'accepted'
  } catch (error) {
    return EventRefusedError.is(error) ? `${error.code} ${error.seq} ${error.message}` : 'broken'
  }
}

type OnSurface = Extract<SessionEvent, { data: { message: Message } }>

function naiveSurface(events: readonly SessionEvent[]): OnSurface[] {
  let surface: OnSurface[] = []
  for (const event of events) {
    if (event.type !== 'user/message' && event.type !== 'assistant/message' && event.type !== 'tool/result')
      continue
    if (typeof event.surfaceOp !== 'object') {
      surface = [...surface, event]
      continue
    }
    const { start, end } = event.surfaceOp.replace
    const from = surface.findIndex(other => other.seq === start)
    const to = surface.findIndex(other => other.seq === end)
    surface = [...surface.slice(0, from), event, ...surface.slice(to + 1)]
  }
  return surface
}

function naiveMessages(events: readonly SessionEvent[]): Message[] {
  const messages: Message[] = []
  for (const event of naiveSurface(events)) {
    if (event.type !== 'assistant/message') {
      messages.push(event.data.message)
      continue
    }
    const content = []
    for (const block of event.data.message.content) {
      if (block.type === 'text' && block.text.trim() === '') continue
      if (block.type === 'reasoning' && event.data.interrupted === true && !('replay' in block)) continue
      content.push(block)
    }
    const kinds = new Set(content.map(({ type }) => type))
    if (kinds.has('text') || kinds.has('image') || kinds.has('tool-call')) {
      messages.push({ ...event.data.message, content })
    }
  }
  return messages
}

/** Every place where a result does not stand in the run of results behind its call, or a call is followed by another message. */
function brokenPairing(surface: readonly OnSurface[]): string[] {
  const problems: string[] = []
  let open = new Set<string>()
  const seen = new Set<string>()
  for (const { seq: at, data } of surface) {
    const [block] = data.message.content
    if (block?.type === 'tool-result') {
      if (!open.delete(block.toolCallId)) problems.push(`seq ${at}: result without its call before it`)
      continue
    }
    if (open.size > 0) problems.push(`seq ${at}: buries ${[...open].join()}`)
    open = new Set(data.message.content.flatMap(part => (part.type === 'tool-call' ? [part.id] : [])))
    for (const callId of open) if (seen.has(callId)) problems.push(`seq ${at}: ${callId} again`)
    open.forEach(callId => seen.add(callId))
  }
  return problems
}
