import { unrunError, unrunResult, unrunText } from '@agent-spine/model'
import type { EventDraft, SessionEvent } from '@agent-spine/session'
import { describe, expect, it } from 'vitest'
import { interruptedTurnClosers, repairLog, type ClosingEvent } from './closers.js'
import * as log from './log-writer.js'
import { needsRepair } from './needs-repair.js'

const attemptEnd: EventDraft = { type: 'attempt/end', data: { turn: 0, step: 0, attempt: 0 } }

/** A marked turn that asked for `callIds`; the assistant message is event 5, what the calls did begins at event 7. */
const asked = (...callIds: string[]): EventDraft[] => [
  ...log.opened,
  log.assistantCalls(...callIds),
  attemptEnd,
]

const closersOf = (...drafts: EventDraft[]): ClosingEvent[] => interruptedTurnClosers(log.writeLog(drafts))

const outline = (closers: readonly ClosingEvent[]): string[] =>
  closers.map(closer =>
    closer.type === 'tool/result'
      ? `${closer.data.error?.code ?? 'outcome'} of ${closer.data.message.id} from ${String(closer.sourceEventSeqs)}`
      : closer.type,
  )

const ends = ['step/end', 'turn/end']

describe('a call without result', () => {
  it('that was never started says so, and cites the assistant message', () => {
    expect(outline(closersOf(...asked('a')))).toEqual(['TOOL_NOT_STARTED of result_a from 5', ...ends])
  })

  it('that was prepared but not dispatched in a marked turn never ran', () => {
    const closers = closersOf(...asked('a'), log.toolCall('a'))
    expect(outline(closers)).toEqual(['TOOL_NOT_STARTED of result_a from 7', ...ends])
  })

  it('that was dispatched has an unknown outcome', () => {
    const closers = closersOf(...asked('a'), log.toolCall('a'), log.dispatch('a'))
    expect(outline(closers)).toEqual(['TOOL_OUTCOME_UNKNOWN of result_a from 7', ...ends])
  })

  it('may have run in a turn that does not mark dispatches', () => {
    const [, ...rest] = asked('a', 'b')
    const closers = closersOf(log.turnStart(0, false), ...rest, log.toolCall('a'))
    expect(outline(closers)).toEqual([
      'TOOL_OUTCOME_UNKNOWN of result_a from 7',
      'TOOL_NOT_STARTED of result_b from 5',
      ...ends,
    ])
  })

  it('takes the mark from its own turn, not from a later one', () => {
    const closers = closersOf(
      ...asked('a').with(0, log.turnStart(0, false)),
      log.toolCall('a'),
      log.stepEnd,
      log.turnFailed,
      log.turnStart(1),
    )
    expect(outline(closers)).toEqual(['TOOL_OUTCOME_UNKNOWN of result_a from 7', 'turn/end'])
  })

  it('states its result only through the words and codes of the model package', () => {
    const [result] = closersOf(...asked('a'), log.toolCall('a'), log.dispatch('a'))
    expect(result).toEqual({
      time: 1080,
      type: 'tool/result',
      data: {
        turn: 0,
        step: 0,
        message: unrunResult('a', 'TOOL_OUTCOME_UNKNOWN'),
        error: unrunError('TOOL_OUTCOME_UNKNOWN'),
      },
      surfaceOp: 'append',
      sourceEventSeqs: [7],
      closer: true,
    })
    expect(JSON.stringify(result)).toContain(unrunText('TOOL_OUTCOME_UNKNOWN').slice(0, 30))
  })

  it('is answered in the order the model asked, whatever was started first', () => {
    const closers = closersOf(
      ...asked('a', 'b', 'c'),
      log.toolCall('c'),
      log.toolCall('b'),
      log.dispatch('b'),
    )
    expect(outline(closers)).toEqual([
      'TOOL_NOT_STARTED of result_a from 5',
      'TOOL_OUTCOME_UNKNOWN of result_b from 8',
      'TOOL_NOT_STARTED of result_c from 7',
      ...ends,
    ])
  })

  it('is closed after the results its siblings already have, calls of later groups included', () => {
    const closers = closersOf(
      ...asked('a', 'b', 'c'),
      log.toolCall('a'),
      log.dispatch('a'),
      log.toolResult('a', 7),
      log.toolCall('b'),
      log.dispatch('b'),
    )
    expect(outline(closers)).toEqual([
      'TOOL_OUTCOME_UNKNOWN of result_b from 10',
      'TOOL_NOT_STARTED of result_c from 5',
      ...ends,
    ])
  })

  it('is closed in a turn that has ended, and nothing else is', () => {
    const closers = closersOf(
      ...asked('a'),
      log.toolCall('a'),
      log.dispatch('a'),
      log.stepEnd,
      log.turnFailed,
    )
    expect(outline(closers)).toEqual(['TOOL_OUTCOME_UNKNOWN of result_a from 7'])
  })
})

describe('a skipped call', () => {
  it('cut between its call and its result was cancelled before it ran', () => {
    const closers = closersOf(...asked('a', 'b'), log.toolCall('a', true))
    expect(outline(closers)).toEqual([
      'ABORTED_BEFORE_DISPATCH of result_a from 7',
      'TOOL_NOT_STARTED of result_b from 5',
      ...ends,
    ])
  })

  it('was decided before the tail was lost', () => {
    const closers = closersOf(...asked('a'), log.toolCall('a', true), {
      type: 'session/owner',
      data: { owner: 'next', lostTail: true },
    })
    expect(outline(closers)[0]).toBe('ABORTED_BEFORE_DISPATCH of result_a from 7')
  })
})

describe('a late outcome of a drained failure', () => {
  it('becomes the result, with everything it holds, citing call and outcome', () => {
    const recorded = log.late('a', 'really 42')
    const [result, ...rest] = closersOf(
      ...asked('a', 'b'),
      log.toolCall('a'),
      log.dispatch('a'),
      recorded,
      log.stepEnd,
      log.turnFailed,
    )
    expect(result).toMatchObject({
      type: 'tool/result',
      data: recorded.data,
      sourceEventSeqs: [7, 9],
      closer: true,
    })
    expect(outline(rest)).toEqual(['TOOL_NOT_STARTED of result_b from 5'])
  })

  it('is the last one that was recorded: it knew the most', () => {
    const [result] = closersOf(
      ...asked('a'),
      log.toolCall('a'),
      log.dispatch('a'),
      log.late('a', 'a guess'),
      log.late('a', 'the truth'),
    )
    expect(result).toMatchObject({ data: { meta: { answer: 'the truth' } }, sourceEventSeqs: [7, 10] })
  })

  it('outranks a lost tail and a missing call event', () => {
    const [result] = closersOf(...asked('a'), log.late('a', 'done'), {
      type: 'session/owner',
      data: { owner: 'next', lostTail: true },
    })
    expect(result).toMatchObject({ data: { meta: { answer: 'done' } }, sourceEventSeqs: [5, 7] })
  })

  it('of a call that has its result changes nothing', () => {
    const closers = closersOf(
      ...asked('a'),
      log.toolCall('a'),
      log.toolResult('a', 7),
      log.late('a', 'too late'),
    )
    expect(outline(closers)).toEqual(ends)
  })
})

describe('a lost tail', () => {
  const lost = (lostTail: boolean): EventDraft => ({
    type: 'session/owner',
    data: lostTail ? { owner: 'next', lostTail } : { owner: 'next' },
  })

  it('makes the outcome of every call that was open then unknown, started or not', () => {
    expect(outline(closersOf(...asked('a', 'b'), log.toolCall('a'), lost(true)))).toEqual([
      'TOOL_OUTCOME_UNKNOWN of result_a from 7',
      'TOOL_OUTCOME_UNKNOWN of result_b from 5',
      ...ends,
    ])
  })

  it('leaves calls alone that came after it', () => {
    const closers = closersOf(lost(true), ...asked('a'))
    expect(outline(closers)).toEqual(['TOOL_NOT_STARTED of result_a from 6', ...ends])
  })

  it('is not claimed by an owner that lost nothing', () => {
    expect(outline(closersOf(...asked('a'), lost(false)))[0]).toBe('TOOL_NOT_STARTED of result_a from 5')
  })
})

describe('a model call that was cut', () => {
  it('keeps its visible prefix as an interrupted message that cites its chunks', () => {
    const [message, end, ...rest] = closersOf(
      ...log.opened,
      log.chunk({ type: 'reasoning-delta', index: 0, text: 'think' }),
      log.chunk(log.text('par', 1)),
      { type: 'inbox/spliced', data: { target: 'next-step', start: 0, removed: [], inserted: [] } },
      log.chunk(log.text('tial', 1)),
      log.chunk({ type: 'tool-call-delta', index: 2, id: 'a', name: 'read', text: '{}' }),
      log.chunk({ type: 'usage', usage: { inputTokens: 3, outputTokens: 2 } }),
    )
    expect(message).toEqual({
      time: 1100,
      type: 'assistant/message',
      data: {
        turn: 0,
        step: 0,
        message: {
          id: 'assistant_0_0_0',
          role: 'assistant',
          source: { kind: 'model', provider: 'acme', model: 'one' },
          content: [
            { type: 'reasoning', text: 'think' },
            { type: 'text', text: 'partial' },
          ],
        },
        usage: { inputTokens: 3, outputTokens: 2 },
        interrupted: true,
      },
      surfaceOp: 'append',
      sourceEventSeqs: [5, 6, 8, 9, 10],
      closer: true,
    })
    expect(end).toMatchObject({
      type: 'attempt/end',
      data: {
        turn: 0,
        step: 0,
        attempt: 0,
        failure: { code: 'ABORTED' },
        usage: { inputTokens: 3, outputTokens: 2 },
      },
    })
    expect(outline(rest)).toEqual(ends)
  })

  it('runs no call of an answer that was complete but never committed', () => {
    const closers = closersOf(
      ...log.opened,
      log.chunk({ type: 'tool-call-delta', index: 0, id: 'a', name: 'read', text: '{}' }),
      log.chunk({ type: 'finish', reason: { kind: 'tool-calls' } }),
    )
    expect(outline(closers)).toEqual(['attempt/end', ...ends])
  })

  it('leaves no message when nothing visible had streamed', () => {
    expect(outline(closersOf(...log.opened, log.chunk(log.text(' \n'))))).toEqual(['attempt/end', ...ends])
    expect(outline(closersOf(...log.opened))).toEqual(['attempt/end', ...ends])
  })

  it('leaves the chunks of a failed, retried attempt what they are', () => {
    const [message] = closersOf(
      ...log.opened,
      log.chunk(log.text('discarded')),
      {
        type: 'attempt/end',
        data: { turn: 0, step: 0, attempt: 0, failure: { code: 'OVERLOADED', message: 'busy' } },
      },
      log.attemptStart(1),
      log.chunk(log.text('kept'), 1),
    )
    expect(message).toMatchObject({
      data: { message: { id: 'assistant_0_0_1', content: [{ type: 'text', text: 'kept' }] } },
      sourceEventSeqs: [8],
    })
  })

  it('is not salvaged twice when only its end is missing', () => {
    const cutBatch = closersOf(...log.opened, log.chunk(log.text('whole')), {
      ...log.assistantCalls(),
      sourceEventSeqs: [5],
    })
    expect(cutBatch[0]).toEqual({
      time: 1060,
      type: 'attempt/end',
      data: { turn: 0, step: 0, attempt: 0 },
      closer: true,
    })
    expect(outline(cutBatch)).toEqual(['attempt/end', ...ends])
  })

  it('keeps the usage of a message whose end is missing', () => {
    const message = log.assistantCalls()
    const usage = { inputTokens: 1, outputTokens: 2 }
    const [end] = closersOf(...log.opened, { ...message, data: { ...message.data, usage } })
    expect(end?.data).toEqual({ turn: 0, step: 0, attempt: 0, usage })
  })

  it('keeps the failure of an interrupted message whose end is missing', () => {
    const message = log.assistantCalls()
    const [end] = closersOf(...log.opened, { ...message, data: { ...message.data, interrupted: true } })
    expect(end).toMatchObject({ type: 'attempt/end', data: { failure: { code: 'ABORTED' } } })
  })

  it('is discarded by the next attempt, ended or not', () => {
    const [message] = closersOf(
      ...log.opened,
      log.chunk(log.text('discarded')),
      log.attemptStart(1),
      log.chunk(log.text('kept'), 1),
    )
    expect(message).toMatchObject({ data: { message: { id: 'assistant_0_0_1' } }, sourceEventSeqs: [7] })
  })

  it('is not salvaged once its turn is closed', () => {
    expect(outline(closersOf(...log.opened, log.chunk(log.text('gone')), log.turnFailed))).toEqual([])
  })

  it('is not salvaged once its step is closed: what followed may be on the surface', () => {
    expect(outline(closersOf(...log.opened, log.chunk(log.text('gone')), log.stepEnd))).toEqual(['turn/end'])
  })

  it('never names a provider that the log does not name', () => {
    const [message] = closersOf(
      log.turnStart(0),
      log.stepStart,
      log.attemptStart(),
      log.chunk(log.text('hi')),
    )
    expect(message).toMatchObject({
      data: { message: { source: { provider: 'unknown', model: 'unknown' } } },
    })
  })

  it('takes the provider from the latest header', () => {
    const changed: EventDraft = {
      type: 'request/header',
      data: { header: { config: { provider: 'other', model: 'two' } }, reason: 'change' },
    }
    const [message] = closersOf(
      log.turnStart(0),
      log.stepStart,
      log.header,
      changed,
      log.attemptStart(),
      log.chunk(log.text('hi')),
    )
    expect(message).toMatchObject({ data: { message: { source: { provider: 'other', model: 'two' } } } })
  })
})

describe('boundaries', () => {
  it.each<[string, EventDraft[], string[]]>([
    ['an empty log', [], []],
    ['an open turn', [log.turnStart(0)], ['turn/end']],
    ['an open step', [log.turnStart(0), log.stepStart], ends],
    ['a closed step', [log.turnStart(0), log.stepStart, log.stepEnd], ['turn/end']],
    ['a closed turn', [log.turnStart(0), log.stepStart, log.stepEnd, log.turnFailed], []],
    ['input cut from its batch', [log.turnStart(0), log.stepStart, log.userMessage('u', 'hi')], ends],
  ])('%s', (_name, drafts, expected) => {
    expect(outline(closersOf(...drafts))).toEqual(expected)
  })

  it('end the turn as interrupted', () => {
    expect(closersOf(log.turnStart(7)).at(-1)?.data).toEqual({ turn: 7, reason: { kind: 'interrupted' } })
  })
})

describe('repairLog', () => {
  it('numbers the closers on and repeats the last time', () => {
    const events = log.writeLog(asked('a'))
    const repaired = repairLog(events)
    expect(repaired.slice(0, events.length)).toEqual(events)
    expect(repaired.slice(events.length).map(({ seq, time, type }) => [seq, time, type])).toEqual([
      [7, 1060, 'tool/result'],
      [8, 1060, 'step/end'],
      [9, 1060, 'turn/end'],
    ])
  })

  it('writes closers with the bytes a session would give them', () => {
    const [closer] = repairLog(log.writeLog(asked('a'))).slice(-3)
    const order: (keyof SessionEvent)[] = [
      'seq',
      'time',
      'type',
      'data',
      'surfaceOp',
      'sourceEventSeqs',
      'closer',
    ]
    expect(Object.keys(closer ?? {})).toEqual(order)
  })
})

describe('needsRepair', () => {
  const answered = [log.toolCall('a'), log.dispatch('a'), log.toolResult('a', 7)]

  it.each<[string, EventDraft[], boolean]>([
    ['an empty log', [], false],
    ['an open turn', [log.turnStart(0)], true],
    ['an answered call in an open step', [...asked('a'), ...answered], true],
    ['a closed turn', [...asked('a'), ...answered, log.stepEnd, log.turnFailed], false],
    ['an unanswered call in a closed turn', [...asked('a'), log.stepEnd, log.turnFailed], true],
    [
      'a call answered after its turn',
      [...asked('a'), log.stepEnd, log.turnFailed, log.toolResult('a', 5)],
      false,
    ],
    [
      'one of two calls answered after their turn',
      [...asked('a', 'b'), log.stepEnd, log.turnFailed, log.toolResult('a', 5)],
      true,
    ],
    [
      'a later turn without any model call',
      [...asked('a'), ...answered, log.stepEnd, log.turnFailed, log.turnStart(1)],
      true,
    ],
  ])('%s', (_name, drafts, expected) => {
    expect(needsRepair(log.writeLog(drafts))).toBe(expected)
  })

  it.each<[string, EventDraft[], number]>([
    ['a closed turn, back to its last answer', [], 7],
    ['an open turn, back to its last event', [log.turnStart(1), log.stepStart], 1],
  ])('reads %s', (_name, drafts, expected) => {
    const touched = new Set<string>()
    const closed = [...asked('a'), ...answered, log.stepEnd, log.turnFailed]
    const events = new Proxy(log.writeLog([...closed, ...drafts]), {
      get(target, key) {
        if (typeof key === 'string' && /^\d+$/.test(key)) touched.add(key)
        return Reflect.get(target, key) as unknown
      },
    })
    needsRepair(events)
    expect(touched.size).toBe(expected)
  })
})
