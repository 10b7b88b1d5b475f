import { describe, expect, it } from 'vitest'
import { failedLog, killedLog, LogWriter, sampleLog } from '../test/sample-log.js'
import { barriers } from './barriers.js'
import { callPhases } from './call-phases.js'
import { callSpans } from './call-spans.js'

const calls = callSpans(sampleLog())
const call = (id: string) => {
  const found = calls.find(({ callId }) => callId === id)
  if (found === undefined) throw new Error(`expected ${id}`)
  return found
}
const phases = (id: string) => callPhases(call(id)).map(({ name, from, to }) => `${name} ${to - from}`)

describe('one span per call (P1)', () => {
  it.each([
    ['c0', 'done', undefined],
    ['c4', 'refused', 'DENIED'],
    ['d0', 'aborted', 'ABORTED'],
    ['d2', 'skipped', 'ABORTED_BEFORE_DISPATCH'],
    ['e0', 'unknown', 'TOOL_OUTCOME_UNKNOWN'],
    ['e1', 'skipped', 'TOOL_NOT_STARTED'],
  ])('%s is %s %s', (id, status, code) => {
    expect(call(id)).toMatchObject({ status, ...(code !== undefined && { code }) })
  })

  it('holds them in the order they were asked for', () => {
    expect(calls.map(({ callId }) => callId)).toEqual([
      'c0',
      'c1',
      'c2',
      'c3',
      'c4',
      'd0',
      'd1',
      'd2',
      'e0',
      'e1',
    ])
  })

  it('a call without a result is open, to the end of the log (P2)', () => {
    const events = sampleLog().slice(0, 24)
    expect(callSpans(events).map(({ status }) => status)).toEqual(Array(5).fill('open'))
    expect(callSpans(events)[0]).toMatchObject({ startSeq: 18, endSeq: 23, isStarted: true })
    expect(callSpans(events)[4]).toMatchObject({
      start: events[23]?.time,
      end: events[23]?.time,
      isStarted: false,
    })
  })

  it('a result that repair added says so', () => {
    expect(call('e0').isCloser).toBe(true)
    expect(call('c0').isCloser).toBe(false)
  })
})

describe('phases', () => {
  it.each([
    ['c0', ['prepare 30', 'body 2550', 'waiting for its turn 134']],
    ['c2', ['prepare 30', 'body 1700', 'waiting for its turn 1800']],
    ['c3', ['prepare 4', 'body 220']],
    ['c4', ['prepare 35']],
    ['d2', ['not run 0']],
    ['e1', ['not run 0']],
  ])('of %s (P4)', (id, expected) => {
    expect(phases(id)).toEqual(expected)
  })

  it('a duration that is longer than the log allows ends with the commit (P4)', () => {
    const log = new LogWriter()
    log
      .turn()
      .step()
      .says('go')
      .answers('', [['x', 'look', {}]])
      .starts('x', 'look', {})
      .dispatches('x')
      .wait(10)
    log.results('x', JSON.stringify({ durationMs: 99_999 }))
    const [only] = callSpans(log.events)
    expect(only && callPhases(only).map(({ name }) => name)).toEqual(['body'])
    expect(only?.settled).toBe(only?.end)
  })
})

describe('where the process ended before its calls', () => {
  const ways = {
    open: (log: LogWriter) => log,
    'another owner': (log: LogWriter) => log.wait(174_000).owner(),
    'repaired by another owner': (log: LogWriter) => log.wait(174_000).owner().repairs(),
    'repaired with the session still open': (log: LogWriter) => log.repairs().wait(174_000).turn(),
    'resumed and repaired again': (log: LogWriter) =>
      log.wait(174_000).owner().wait(9).owner().repairs().wait(60_000).turn(),
  }
  const told = (log: LogWriter) => {
    const origin = log.events[0]?.time ?? 0
    return callSpans(log.events).map(span =>
      callPhases(span)
        .map(
          ({ name, from, to, isEndKnown }) =>
            `${name} ${from - origin}-${to - origin}${isEndKnown ? '' : '?'}`,
        )
        .join(', '),
    )
  }

  it.each(Object.entries(ways))(
    'a body is known up to the last event of its process, not up to its repair: %s (P2, P3)',
    (_, end) => {
      expect(told(end(killedLog()))).toEqual([
        'prepare 1490-1500, body 1500-2000?',
        'prepare 1990-2000, body 2000-2000?',
        'not run 2000-2000',
        'not run 2000-2000',
      ])
    },
  )

  it.each(Object.entries(ways))(
    'a body ended when its outcome came, whenever that was repaired: %s (P4)',
    (_, end) => {
      expect(told(end(failedLog()))).toEqual([
        'prepare 10-11, body 11-39?',
        'prepare 21-22, body 22-34, waiting for its turn 34-39',
        'not run 39-39',
      ])
    },
  )

  it('a body that was prepared only may have been prepared for longer (P2)', () => {
    const log = new LogWriter().turn().step().says('go')
    log
      .answers('', [['x', 'look', {}]])
      .starts('x', 'look', {})
      .wait(7)
    expect(told(log.wait(0).owner())).toEqual(['prepare 0-0?'])
  })

  it('a call of a body that died with it ends with it too (P2)', () => {
    const nested = killedLog()
    const scope = { turn: 0, step: 0, parentCallId: 'k0', name: 'look', arguments: '{}' }
    const time = nested.now + 100
    const events = [
      ...nested.events,
      { seq: nested.events.length, time, type: 'tool/sub-call', data: { ...scope, callId: 'k0.0' } } as const,
      {
        seq: nested.events.length + 1,
        time: time + 9000,
        type: 'session/owner',
        data: { owner: 'x' },
      } as const,
    ]
    expect(callSpans(events).at(-1)).toMatchObject({ callId: 'k0.0', end: time, isEndKnown: false })
  })
})

it('a barrier is where nothing overlapped, and only there', () => {
  expect(barriers(calls).map(({ callId, waitedFor }) => [callId, waitedFor])).toEqual([['c3', 3]])
})

it('a clock that is set back makes no span run backwards', () => {
  const log = new LogWriter()
  log
    .turn()
    .step()
    .says('go')
    .answers('', [['x', 'look', {}]])
    .starts('x', 'look', {})
    .dispatches('x')
    .wait(-5000)
  log.results('x', 'done')
  const [only] = callSpans(log.events)
  expect(only?.end).toBe(only?.start)
})

it('a title is the name and the first text among the arguments, however hostile', () => {
  const log = new LogWriter()
  const raw = ['{"n":1,"path":"a\\u001b[2Jb"}', 'not json', '[', '"text"', '{}']
  log
    .turn()
    .step()
    .says('go')
    .answers(
      '',
      raw.map((args, index) => [`x${index}`, 'look', args] as const),
    )
  expect(callSpans(log.events).map(({ title }) => title)).toEqual([
    'look a␛[2Jb',
    'look',
    'look',
    'look text',
    'look',
  ])
})
