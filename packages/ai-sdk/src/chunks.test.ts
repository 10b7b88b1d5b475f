import { describe, expect, it } from 'vitest'
import { blocksOf, chunksOf, failureOf } from '../test/collect.js'
import { finish, partsModel } from '../test/mock-model.js'
import { fromAiSdk, type FromAiSdkOptions } from './from-ai-sdk.js'

const answer = (parts: readonly unknown[], options: FromAiSdkOptions = {}) =>
  chunksOf(fromAiSdk(partsModel(parts), options))

const start = (id: string, toolName = 'read') => ({ type: 'tool-input-start', id, toolName })
const delta = (id: string, text: string) => ({ type: 'tool-input-delta', id, delta: text })
const call = (id: string, input: string, toolName = 'read') => ({
  type: 'tool-call',
  toolCallId: id,
  toolName,
  input,
})

describe('blocks', () => {
  it('K1: an id that is used again begins a block of its own', async () => {
    const text = (delta: string) => [
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta },
      { type: 'text-end', id: '0' },
    ]
    const reasoning = [
      { type: 'reasoning-start', id: '0' },
      { type: 'reasoning-delta', id: '0', delta: 'hm' },
      { type: 'reasoning-end', id: '0' },
    ]
    expect(blocksOf(await answer([...text('one'), ...reasoning, ...text('two'), finish()]))).toEqual([
      { type: 'text', text: 'one' },
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'two' },
    ])
  })

  it('K1: a delta without a start, and a start without an end, lose nothing', async () => {
    const parts = [
      { type: 'text-delta', id: '0', delta: 'one' },
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta: 'two' },
      finish(),
    ]
    expect(blocksOf(await answer(parts))).toEqual([
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two' },
    ])
  })

  it('K2: state from the start, from deltas and from the end becomes the replay state', async () => {
    const parts = [
      { type: 'reasoning-start', id: '0', providerMetadata: { acme: { item: 'r1', step: 1 } } },
      { type: 'reasoning-delta', id: '0', delta: '', providerMetadata: { acme: { signature: 'abc' } } },
      { type: 'reasoning-end', id: '0', providerMetadata: { acme: { step: 2, gone: undefined }, other: {} } },
      finish(),
    ]
    expect(blocksOf(await answer(parts))).toEqual([
      { type: 'reasoning', text: '', replay: { acme: { item: 'r1', step: 2, signature: 'abc' } } },
    ])
  })

  it('K2: a call has the state of its start and of itself', async () => {
    const parts = [
      { ...start('c'), providerMetadata: { acme: { one: 1 } } },
      { ...call('c', '{}'), providerMetadata: { acme: { two: 2 } } },
      finish(),
    ]
    expect(blocksOf(await answer(parts))).toMatchObject([{ replay: { acme: { one: 1, two: 2 } } }])
  })

  it('K4: what has no place is left out, and reported', async () => {
    const heard: unknown[] = []
    const parts = [
      { type: 'stream-start', warnings: [{ type: 'unsupported', feature: 'seed', details: 'none here' }] },
      { ...start('s', 'web_search'), providerExecuted: true },
      delta('s', '{"q":1}'),
      { ...call('s', '{"q":1}', 'web_search'), providerExecuted: true },
      { type: 'tool-result', toolCallId: 's', toolName: 'web_search', result: [] },
      { type: 'file', mediaType: 'image/png', data: 'AA==' },
      { type: 'source', sourceType: 'url', id: '1', url: 'https://example.com' },
      { type: 'raw', rawValue: 1 },
      finish(),
    ]
    const chunks = await answer(parts, { onWarning: warning => heard.push(warning) })
    expect(blocksOf(chunks)).toEqual([])
    expect(chunks.at(-1)).toEqual({ type: 'finish', reason: { kind: 'stop' } })
    expect(heard).toEqual([
      { kind: 'unsupported', message: 'seed: none here' },
      { kind: 'left-out', message: expect.stringContaining('web_search') as string },
      { kind: 'left-out', message: expect.stringContaining('tool-result') as string },
      { kind: 'left-out', message: expect.stringContaining('file') as string },
    ])
  })
})

describe('calls', () => {
  const calls = async (...parts: readonly unknown[]) =>
    blocksOf(await answer([...parts, finish('tool-calls')])).map(
      block => block.type === 'tool-call' && [block.id, block.name, block.arguments],
    )

  it('C2: pass their input on piece by piece', async () => {
    const chunks = await answer([
      start('c'),
      delta('c', '{"a"'),
      delta('c', ':1}'),
      call('c', '{"a":1}'),
      finish(),
    ])
    expect(chunks).toMatchObject([
      { type: 'block-start', block: { type: 'tool-call', id: 'c', name: 'read' } },
      { type: 'tool-call-delta', text: '{"a"' },
      { type: 'tool-call-delta', text: ':1}' },
      { type: 'block-end' },
      { type: 'usage' },
      { type: 'finish', reason: { kind: 'tool-calls' } },
    ])
  })

  it.each([
    ['without any delta', [call('c', '{"a":1}')], '{"a":1}'],
    [
      'with an input that was not streamed to its end',
      [start('c'), delta('c', '{"a"'), call('c', '{"a":1}')],
      '{"a":1}',
    ],
    ['with an empty input', [start('c'), call('c', '')], ''],
    ['with an empty input that became {}', [start('c'), call('c', '{}')], '{}'],
    [
      'that is written anew at the end',
      [start('c'), delta('c', '{ "a": 1 }'), call('c', '{"a":1}')],
      '{ "a": 1 }',
    ],
    ['that is no JSON', [start('c'), delta('c', '{"a": x'), call('c', '{"a": x')], '{"a": x'],
    [
      'that is text and becomes a JSON string',
      [{ ...start('c'), inputEncoding: 'text' }, delta('c', 'say "a"'), call('c', '"say \\"a\\""')],
      '"say \\"a\\""',
    ],
  ])('C1: come out %s', async (_, parts, expected) => {
    expect(await calls(...parts)).toEqual([['c', 'read', expected]])
  })

  it('C1, C2: stay apart when several open ones have the same empty id', async () => {
    const parts = [
      start('', 'one'),
      delta('', '{"a"'),
      start('', 'two'),
      delta('', ':1}'),
      delta('', '{"b":2}'),
      call('', '{"b":2}', 'two'),
      call('', '{"a":1}', 'one'),
    ]
    expect(await calls(...parts)).toEqual([
      ['', 'one', '{"a":1}'],
      ['', 'two', '{"b":2}'],
    ])
  })

  it('C2: an id is free again once its call is complete', async () => {
    const parts = [
      start('', 'one'),
      call('', '{"a":1}', 'one'),
      start('', 'one'),
      delta('', '{"a":2}'),
      call('', '{"a":2}', 'one'),
    ]
    expect(await calls(...parts)).toEqual([
      ['', 'one', '{"a":1}'],
      ['', 'one', '{"a":2}'],
    ])
  })

  it.each([
    ['another input', call('c', '{"a":2}')],
    ['another name', call('c', '{"a":1}', 'write')],
  ])('C1: an answer that streams one call and ends with %s is refused', async (_, complete) => {
    const failure = await failureOf(answer([start('c'), delta('c', '{"a":1}'), complete, finish()]))
    expect(failure.code).toBe('INCOMPLETE_STREAM')
    expect(failure.message).toContain('to be what was streamed of it')
  })

  it('C3: an answer with a call that is never completed is refused', async () => {
    const failure = await failureOf(answer([start('c'), delta('c', '{"a":1}'), finish('tool-calls')]))
    expect(failure.code).toBe('INCOMPLETE_STREAM')
  })

  it('C3: a call that the limit on tokens cut off does not hide the limit', async () => {
    const chunks = await answer([start('c'), delta('c', '{"a"'), finish('length')])
    expect(chunks.at(-1)).toEqual({ type: 'finish', reason: { kind: 'max-tokens' } })
    expect(blocksOf(chunks)).toEqual([])
  })
})
