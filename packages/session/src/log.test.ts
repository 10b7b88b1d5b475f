import { HarnessError } from '@agent-spine/schema'
import { describe, expect, it } from 'vitest'
import {
  asks,
  attempt,
  chunk,
  expectRefused,
  openStep,
  results,
  says,
  step,
  thrownBy,
  userMessage,
} from '../test/conversation.js'
import { replaySession } from './create-session.js'
import type { EventDraft, RequestHeader, SessionEvent } from './event.js'

const types = (events: readonly SessionEvent[]) => events.map(({ type }) => type)

describe('A1: validate, guard, store, commit, tell', () => {
  it('commits an event with seq, time, type and data, and returns it', () => {
    const session = replaySession([], { clock: () => 42 })
    const event = session.append('turn/start', { turn: 0 })
    expect(event).toEqual({ seq: 0, time: 42, type: 'turn/start', data: { turn: 0 } })
    expect(session.events).toEqual([event])
    expect(session.events[0]).toBe(event)
  })

  it('shows a batch to every guard, in order, before anything of it is visible', () => {
    const session = openStep(says('u'))
    const seen: unknown[] = []
    session.guard((batch, at) => {
      seen.push(['first', types(batch), at.events.length, at.deriveMessages().length, at.requestHeader()])
    })
    session.guard(batch => void seen.push(['second', batch.map(({ seq }) => seq)]))
    session.subscribe(event => void seen.push(['told', event.seq, session.events.length]))
    const header = { config: { provider: 'p', model: 'm' } }
    session.appendAll([says('v'), { type: 'request/header', data: { header, reason: 'initial' } }])
    expect(seen).toEqual([
      ['first', ['user/message', 'request/header'], 3, 1, undefined],
      ['second', [3, 4]],
      ['told', 3, 5],
      ['told', 4, 5],
    ])
  })

  it('a veto reaches whoever appended as it is, and leaves no trace', () => {
    const session = openStep(asks('a', 'c'))
    const veto = new Error('no')
    const told: number[] = []
    session.subscribe(({ seq }) => void told.push(seq))
    const allow = session.guard(batch => {
      if (batch.some(({ type }) => type === 'tool/result')) throw veto
    })
    expect(thrownBy(() => session.appendAll([chunk('x'), results('c')]))).toBe(veto)
    expect(session.events).toHaveLength(3)
    expectRefused(session, says('u'), { code: 'SURFACE_CONFLICT', says: 'no result yet', conflictSeq: 2 })
    allow()
    session.appendAll([results('c'), says('u')])
    expect(told).toEqual([3, 4])
    expect(session.deriveMessages().map(({ id }) => id)).toEqual(['a', 'result_c', 'u'])
  })

  it('a guard sees nothing that the rules refuse', () => {
    const session = openStep()
    session.guard(() => {
      throw new Error('was asked')
    })
    expectRefused(session, results('c'), { code: 'CALL_CONFLICT', says: 'holds a call "c"' })
  })

  it('a guard cannot change what it is shown', () => {
    const session = openStep()
    session.guard(batch => void (batch as SessionEvent[]).pop())
    expect(() => session.appendAll([chunk('x')])).toThrow(TypeError)
    expect(session.events).toHaveLength(2)
  })

  it('an async guard is refused: it would veto nothing', () => {
    const session = openStep()
    const asynchronous = (): unknown => Promise.reject(new Error('too late'))
    session.guard(asynchronous)
    expect(thrownBy(() => session.appendAll([chunk('x')]))).toMatchObject({ code: 'ASYNC_GUARD' })
    expect(session.events).toHaveLength(2)
  })
})

describe('A2: all of a batch or nothing, and nothing in between', () => {
  it('gives a batch one time and contiguous seqs', () => {
    const batch = openStep().appendAll([chunk('a'), chunk('b'), chunk('c')])
    expect(batch.map(({ seq }) => seq)).toEqual([2, 3, 4])
    expect(new Set(batch.map(({ time }) => time)).size).toBe(1)
  })

  it('an empty batch is nothing', () => {
    const session = openStep()
    expect(session.appendAll([])).toEqual([])
    expect(session.events).toHaveLength(2)
  })

  it.each(['guard', 'clock', 'getter'])('refuses an append from inside an append: %s', where => {
    let armed = false
    const again = () => {
      if (armed) session.append('session/owner', { owner: 'inner' })
    }
    const session = replaySession([], {
      clock: () => {
        if (where === 'clock') again()
        return 1
      },
    })
    if (where === 'guard') session.guard(again)
    armed = true
    const data = {
      get turn() {
        if (where === 'getter') again()
        return 0
      },
    }
    const thrown = thrownBy(() => session.append('turn/start', data))
    const codes = [thrown, (thrown as Error).cause].map(error =>
      HarnessError.is(error) ? error.code : undefined,
    )
    expect(codes).toContain(where === 'getter' ? 'INVALID_EVENT' : 'APPEND_REENTERED')
    expect(session.events).toEqual([])
    armed = false
    session.append('turn/start', { turn: 0 })
  })

  it('notices that its view was written to', () => {
    const session = openStep()
    ;(session.events as SessionEvent[]).pop()
    expect(thrownBy(() => session.appendAll([chunk('x')]))).toMatchObject({ code: 'LOG_TAMPERED' })
  })
})

describe('A3: observers run after the commit and cannot undo', () => {
  it('keeps the event, the other observers and the caller from what one throws', () => {
    const reports: unknown[] = []
    const session = replaySession([], {
      onObserverError: (error, event) => void reports.push([error, event.seq]),
    })
    const told: number[] = []
    session.subscribe(() => {
      throw new Error('sync')
    })
    session.subscribe(({ seq }) => void told.push(seq))
    session.append('turn/start', { turn: 0 })
    session.append('step/start', step)
    expect(told).toEqual([0, 1])
    expect(reports).toEqual([
      [new Error('sync'), 0],
      [new Error('sync'), 1],
    ])
  })

  it('reports what an async observer rejects with', async () => {
    const reported = new Promise(resolve => {
      const session = replaySession([], { onObserverError: (error, event) => resolve([error, event.type]) })
      const observer = (): unknown => Promise.reject(new Error('async'))
      session.subscribe(observer)
      session.append('turn/start', { turn: 0 })
    })
    expect(await reported).toEqual([new Error('async'), 'turn/start'])
  })

  it('survives a reporter that throws', () => {
    const session = replaySession([], {
      onObserverError: () => {
        throw new Error('the reporter')
      },
    })
    const log = console.error
    const logged: unknown[] = []
    console.error = (...parts: unknown[]) => void logged.push(parts)
    try {
      session.subscribe(() => {
        throw new Error('the observer')
      })
      session.append('turn/start', { turn: 0 })
    } finally {
      console.error = log
    }
    expect(session.events).toHaveLength(1)
    expect(logged).toEqual([
      ['onObserverError threw', new Error('the reporter'), 'while it was told of', new Error('the observer')],
    ])
  })
})

describe('O1: observers are told in order, whoever appends', () => {
  it('an observer that appends is followed by its events, for every observer', () => {
    const session = openStep()
    const told: string[] = []
    session.subscribe(event => {
      told.push(`first ${event.seq}`)
      if (event.seq === 2) {
        const inner = session.appendAll([chunk('b'), chunk('c')])
        expect(inner.map(({ seq }) => seq)).toEqual([4, 5])
        expect(session.events).toHaveLength(6)
      }
    })
    session.subscribe(({ seq }) => void told.push(`second ${seq}`))
    session.appendAll([chunk('a'), chunk('a')])
    expect(told).toEqual([2, 3, 4, 5].flatMap(seq => [`first ${seq}`, `second ${seq}`]))
  })

  it('is not told of what was committed before it subscribed, even while that is being told', () => {
    const session = openStep()
    const told: number[] = []
    session.subscribe(({ seq }) => {
      if (seq === 2) session.subscribe(later => void told.push(later.seq))
    })
    session.appendAll([chunk('a'), chunk('b')])
    session.appendAll([chunk('c')])
    expect(told).toEqual([4])
  })

  it('hears nothing after it unsubscribed, be it in the middle of a batch', () => {
    const session = openStep()
    const told: number[] = []
    const stop = session.subscribe(({ seq }) => {
      told.push(seq)
      stop()
      stop()
    })
    session.appendAll([chunk('a'), chunk('b')])
    expect(told).toEqual([2])
  })

  it('one function subscribed twice is told twice, and stopped once at a time', () => {
    const session = openStep()
    let told = 0
    const observer = () => {
      told++
    }
    session.subscribe(observer)
    session.subscribe(observer)()
    session.appendAll([chunk('a')])
    expect(told).toBe(1)
  })

  it('a refused append inside an observer is the observer’s failure alone', () => {
    const reports: unknown[] = []
    const session = replaySession([], { onObserverError: error => void reports.push(error) })
    session.subscribe(event => {
      if (event.type === 'turn/start') session.append('turn/start', { turn: 7 })
    })
    session.append('turn/start', { turn: 0 })
    expect(reports).toMatchObject([{ code: 'STEP_NOT_OPEN' }])
    expect(session.events).toHaveLength(1)
  })
})

describe('closers bring their time, others do not', () => {
  it('takes the time of a closer and stamps the rest', () => {
    const session = openStep()
    const [closer] = session.appendAll([{ type: 'step/end', data: step, closer: true, time: 7 }])
    expect(closer).toEqual({ seq: 2, time: 7, type: 'step/end', data: step, closer: true })
    const drafts: EventDraft[] = [
      { type: 'turn/end', data: { turn: 0, reason: { kind: 'completed' } }, time: 7 },
      { type: 'turn/start', data: { turn: 1 }, closer: true },
    ]
    expect(session.appendAll(drafts).map(({ time }) => time)).toEqual([1004, 1004])
  })

  it.each([1.5, -1, Number.NaN, '5', 2 ** 60])('refuses the time %s', time => {
    const draft = { type: 'step/end', data: step, closer: true, time } as unknown as EventDraft
    expectRefused(openStep(), draft, { code: 'INVALID_EVENT', says: 'whole milliseconds' })
  })
})

describe('the request header', () => {
  it('is the latest one, frozen, and survives a replay', () => {
    const session = openStep()
    expect(session.requestHeader()).toBeUndefined()
    const header = (model: string): RequestHeader => ({ config: { provider: 'p', model }, system: 's' })
    session.append('request/header', { header: header('a'), reason: 'initial' })
    session.append('request/header', { header: header('b'), reason: 'change' })
    expect(session.requestHeader()).toEqual(header('b'))
    expect(Object.isFrozen(session.requestHeader()?.config)).toBe(true)
    expect(replaySession(session.events).requestHeader()).toEqual(header('b'))
  })
})

it('the log keeps its own copy, deeply frozen, of what it was given', () => {
  const session = openStep()
  const message = userMessage('u') as unknown as { id: string; content: unknown[] }
  const event = session.append('user/message', { message } as never)
  message.id = 'changed'
  message.content.push('junk')
  expect(event.data).toEqual({ message: userMessage('u') })
  for (const part of [
    event,
    event.data,
    event.data.message,
    event.data.message.content,
    event.data.message.content[0],
  ]) {
    expect(Object.isFrozen(part)).toBe(true)
  }
  const delta = { ...attempt, chunk: { type: 'text-delta' as const, index: 0, text: 'x' } }
  const chunkEvent = session.append('assistant/chunk', delta)
  delta.chunk.text = 'changed'
  expect(chunkEvent.data.chunk).toEqual({ type: 'text-delta', index: 0, text: 'x' })
  expect(Object.isFrozen(chunkEvent.data) && Object.isFrozen(chunkEvent.data.chunk)).toBe(true)
})
