import { describe, expect, it } from 'vitest'
import {
  assistantMessage,
  attempt,
  callBlock,
  calls,
  openStep,
  resultMessage,
  step,
  textBlock,
  thrownBy,
  userMessage,
} from '../test/conversation.js'
import { replaySession } from './create-session.js'
import { EventRefusedError } from './errors.js'
import type { CoreEventMap, EventDraft } from './event.js'
import { dataProblem } from './event-shape.js'
import type { JsonValue } from '@agent-spine/schema'

const failure = { message: 'm', code: 'OVERLOADED', status: 529, retryAfterMs: 5, requestId: 'r' } as const
const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4, reasoningTokens: 5 }
const result = { ...step, message: resultMessage('c') }

/** Well-formed data of every core type, every optional field present somewhere. */
const wellFormed: { readonly [K in keyof CoreEventMap]: readonly CoreEventMap[K][] } = {
  'turn/start': [{ turn: 0 }, { turn: 1, dispatchMarked: true }],
  'turn/end': [
    { turn: 0, reason: { kind: 'completed' } },
    { turn: 0, reason: { kind: 'aborted', cause: { kind: 'user' } } },
    { turn: 0, reason: { kind: 'aborted', cause: { kind: 'hook', reason: 'r' } } },
    { turn: 0, reason: { kind: 'error', failure } },
  ],
  'step/start': [step],
  'step/end': [step],
  'inbox/spliced': [
    { target: 'next-turn', start: 0, removed: [], inserted: [{ inboxId: 'i', message: userMessage('u') }] },
    { target: 'next-step', start: 2, removed: ['i', 'j'], inserted: [], outcome: 'discarded' },
  ],
  'user/message': [
    { message: userMessage('u') },
    { message: { ...userMessage('u'), source: { kind: 'plugin', name: 'p' } }, inboxId: 'i' },
    {
      message: userMessage('u', [
        { type: 'image', mediaType: 'image/png', data: { kind: 'base64', base64: 'AA==' } },
        { type: 'image', mediaType: 'image/png', data: { kind: 'url', url: 'u' } },
      ]),
    },
  ],
  'attempt/start': [attempt],
  'attempt/end': [attempt, { ...attempt, failure, usage }],
  'assistant/chunk': [
    { ...attempt, chunk: { type: 'block-start', index: 0, block: { type: 'text' } } },
    {
      ...attempt,
      chunk: { type: 'block-start', index: 0, block: { type: 'tool-call', id: 'i', name: 'n' } },
    },
    { ...attempt, chunk: { type: 'text-delta', index: 0, text: '' } },
    { ...attempt, chunk: { type: 'reasoning-delta', index: 0, text: 'x' } },
    { ...attempt, chunk: { type: 'tool-call-delta', index: 0, text: '', id: 'i', name: 'n' } },
    { ...attempt, chunk: { type: 'block-end', index: 0, replay: null } },
    { ...attempt, chunk: { type: 'usage', usage } },
    { ...attempt, chunk: { type: 'finish', reason: { kind: 'stop' } } },
    { ...attempt, chunk: { type: 'finish', reason: { kind: 'error', failure } } },
  ],
  'assistant/message': [
    { ...step, message: assistantMessage('a', []) },
    {
      ...step,
      message: assistantMessage('a', [
        { type: 'reasoning', text: '', replay: [1] },
        textBlock('t'),
        callBlock('c'),
      ]),
      usage,
    },
    { ...step, message: assistantMessage('a', [textBlock('t')]), interrupted: true },
  ],
  'tool/call': [calls('c').data, { ...calls('c').data, providerId: 'p', skipped: true }],
  'tool/dispatch': [{ callId: 'c' }],
  'tool/result': [result, { ...result, error: { name: 'E', code: 'C' }, meta: { any: [1] } }],
  'tool/late': [result],
  'tool/sub-call': [{ ...calls('n').data, parentCallId: 'c' }],
  'tool/sub-result': [{ ...result, parentCallId: 'c' }],
  'request/header': [
    { header: { config: { provider: 'p', model: 'm' } }, reason: 'initial' },
    {
      header: {
        config: {
          provider: 'p',
          model: 'm',
          temperature: 0,
          stopSequences: ['x'],
          toolChoice: { tool: 't' },
        },
        system: '',
        tools: [{ name: 't', description: '', parameters: { type: 'object' } }],
      },
      reason: 'change',
    },
  ],
  'session/owner': [{ owner: 'o' }, { owner: 'o', lostTail: true }],
  'session/end-seed': [{}, { from: 's' }],
}

const cases = Object.entries(wellFormed).flatMap(([type, all]) =>
  all.map(data => ({ type, data: data as JsonValue })),
)

describe('every core type has a shape', () => {
  it.each(cases)('$type takes $data, and fields of later versions', ({ type, data }) => {
    expect(dataProblem(type, data)).toBeUndefined()
    expect(dataProblem(type, { ...(data as object), later: 1 })).toBeUndefined()
  })

  /** Fields that hold any JSON, or text that may be left out: breaking or dropping them is nothing a shape can see. */
  const free = /\.(meta|replay|any|toolChoice|parameters|later)\b/

  it.each(cases)('$type refuses $data with any one field broken, and says where', ({ type, data }) => {
    let broken = Object.keys(data as object).length === 0 ? 1 : 0
    for (const { path, value } of everyFieldBroken(data)) {
      if (free.test(path)) continue
      broken++
      const problem = dataProblem(type, value)
      expect(problem, `${path} of ${JSON.stringify(value)}`).toBeDefined()
      expect(
        path.startsWith(problem?.path ?? '?') || problem?.path.startsWith(path),
        `${path}: ${problem?.path ?? ''}`,
      ).toBe(true)
    }
    expect(broken).toBeGreaterThan(0)
  })

  it.each(Object.keys(wellFormed).map(type => ({ type })))('$type refuses what is no object', ({ type }) => {
    for (const data of [null, 'text', 1, true, []]) {
      const problem = dataProblem(type, data)
      expect(problem?.message, JSON.stringify(data)).toMatch('must be an object')
    }
  })
})

describe('what a shape alone does not say', () => {
  it.each([
    ['a result as input', 'user/message', { message: resultMessage('c') }, '.message.content[0].type'],
    ['a user message without content', 'user/message', { message: userMessage('u', []) }, '.message.content'],
    [
      'a result of another call',
      'tool/result',
      { ...step, message: { ...resultMessage('c'), source: { kind: 'tool', callId: 'd' } } },
      '.message.content[0].toolCallId',
    ],
    [
      'two results in one message',
      'tool/result',
      {
        ...step,
        message: {
          ...resultMessage('c'),
          content: [...resultMessage('c').content, ...resultMessage('c').content],
        },
      },
      '.message.content',
    ],
    [
      'an id no provider takes',
      'assistant/message',
      { ...step, message: assistantMessage('a', [callBlock('a b')]) },
      '.message.content[0].id',
    ],
    [
      'an id that is too long',
      'assistant/message',
      { ...step, message: assistantMessage('a', [callBlock('x'.repeat(65))]) },
      '.message.content[0].id',
    ],
    ['a negative turn', 'turn/start', { turn: -1 }, '.turn'],
    ['a flag that is false', 'turn/start', { turn: 0, dispatchMarked: false }, '.dispatchMarked'],
  ] as const)('refuses %s', (...[, type, data, path]) => {
    expect(dataProblem(type, data as unknown as JsonValue)?.path).toBe(path)
  })
})

describe('the refusal', () => {
  it('names the event, the field, what was expected and what was found', () => {
    const data = { ...attempt, chunk: { type: 'text-delta', index: 0, text: 5 } }
    const thrown = thrownBy(() => openStep().append('assistant/chunk', data as never))
    expect(EventRefusedError.is(thrown)).toBe(true)
    expect(thrown).toMatchObject({ code: 'INVALID_EVENT', seq: 2, eventType: 'assistant/chunk' })
    expect((thrown as Error).message).toBe(
      'assistant/chunk at seq 2 is refused: data.chunk.text must be a string (found 5)',
    )
  })

  it.each([null, undefined, 5, {}, { type: 5 }, { type: '' }])('refuses the draft %j', draft => {
    const thrown = thrownBy(() => openStep().appendAll([draft as unknown as EventDraft]))
    expect(thrown).toMatchObject({ code: 'INVALID_EVENT', seq: 2 })
  })

  it.each([
    { sourceEventSeqs: 'x' },
    { sourceEventSeqs: [2] },
    { sourceEventSeqs: [1, 1] },
    { sourceEventSeqs: [1, 0] },
    { sourceEventSeqs: [0.5] },
    { sourceEventSeqs: null },
    { closer: false },
    { closer: null },
    { ignorable: 1 },
  ])('refuses the options %j', options => {
    const thrown = thrownBy(() => openStep().append('session/owner', { owner: 'o' }, options as never))
    expect(thrown).toMatchObject({ code: 'INVALID_EVENT' })
  })

  it('takes options that are right, and a copy of them', () => {
    const sources = [0, 1]
    const session = openStep()
    const event = session.append(
      'session/owner',
      { owner: 'o' },
      { sourceEventSeqs: sources, closer: true, ignorable: true },
    )
    sources.push(9)
    expect(event).toMatchObject({ sourceEventSeqs: [0, 1], closer: true, ignorable: true })
    expect(Object.isFrozen(event.sourceEventSeqs)).toBe(true)
    expect(Object.keys(session.append('session/owner', { owner: 'o' }, {}))).toEqual([
      'seq',
      'time',
      'type',
      'data',
    ])
  })
})

describe('types nobody knows', () => {
  const draft = { type: 'plugin/note', data: { any: [1] } } as unknown as EventDraft

  it('are refused with the way out', () => {
    const thrown = thrownBy(() => replaySession([]).appendAll([draft]))
    expect(thrown).toMatchObject({ code: 'UNKNOWN_EVENT_TYPE', eventType: 'plugin/note' })
    expect((thrown as Error).message).toMatch(/Upgrade .* `eventTypes`.* `ignorable`/)
  })

  it('are taken where the application names them, or where they are ignorable', () => {
    const named = replaySession([], { eventTypes: ['plugin/note'] })
    named.appendAll([draft])
    const ignorable = replaySession([])
    ignorable.appendAll([
      { ...draft, ignorable: true },
      { type: 'turn/start', data: { turn: 0 } },
    ])
    expect(ignorable.events.map(({ seq }) => seq)).toEqual([0, 1])
    expect(replaySession(ignorable.events).events).toEqual(ignorable.events)
    expect(thrownBy(() => replaySession(named.events))).toMatchObject({ code: 'UNKNOWN_EVENT_TYPE' })
    expect(replaySession(named.events, { eventTypes: ['plugin/note'] }).events).toEqual(named.events)
  })

  it('have no place on the surface', () => {
    const onSurface = { ...draft, ignorable: true, surfaceOp: 'append' } as EventDraft
    expect(thrownBy(() => replaySession([]).appendAll([onSurface]))).toMatchObject({ code: 'INVALID_EVENT' })
  })
})

/** `value` again and again, each time with one field at any depth made a value that fits no field. */
function* everyFieldBroken(value: JsonValue, path = ''): Generator<{ path: string; value: JsonValue }> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries<JsonValue>(value)) {
    const at = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`
    const replaced = (changed: JsonValue): JsonValue => {
      const copy = structuredClone(value) as Record<string, JsonValue>
      copy[key] = changed
      return copy
    }
    yield { path: at, value: replaced(typeof member === 'object' ? 'not this' : { not: 'this' }) }
    for (const inner of everyFieldBroken(member, at)) yield { path: inner.path, value: replaced(inner.value) }
  }
}
