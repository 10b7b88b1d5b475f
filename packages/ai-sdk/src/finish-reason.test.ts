import { describe, expect, it } from 'vitest'
import { chunksOf, failureOf } from '../test/collect.js'
import { finish, partsModel } from '../test/mock-model.js'
import { fromAiSdk } from './from-ai-sdk.js'

const ending = async (part: unknown) => (await chunksOf(fromAiSdk(partsModel([part])))).at(-1)
const flat = (finishReason: string) => ({ type: 'finish', finishReason, usage: {} })

describe('an answer that ended', () => {
  it.each([
    [finish('stop'), 'stop'],
    [finish('length'), 'max-tokens'],
    [finish('other', 'a word of the provider'), 'stop'],
    [finish('tool-calls'), 'stop'],
    [flat('stop'), 'stop'],
    [flat('length'), 'max-tokens'],
    [flat('other'), 'stop'],
  ])('%j is %s', async (part, kind) => {
    expect(await ending(part)).toEqual({ type: 'finish', reason: { kind } })
  })

  it('made calls, whatever the provider calls it', async () => {
    const call = { type: 'tool-call', toolCallId: 'c', toolName: 'read', input: '{}' }
    const chunks = await chunksOf(fromAiSdk(partsModel([call, finish('stop')])))
    expect(chunks.at(-1)).toEqual({ type: 'finish', reason: { kind: 'tool-calls' } })
  })
})

it.each([
  ['was just stopped, version 2', flat('unknown'), 'INCOMPLETE_STREAM'],
  [
    'was just stopped, version 3',
    { ...(finish('other') as object), finishReason: { unified: 'other', raw: undefined } },
    'INCOMPLETE_STREAM',
  ],
  ['was just stopped, version 4', finish('interrupted'), 'INCOMPLETE_STREAM'],
  ['has a reason that nobody knows', finish('whatever'), 'INCOMPLETE_STREAM'],
  ['was refused', finish('content-filter', 'SAFETY'), 'INVALID_REQUEST'],
  ['ended in an error', finish('error', 'boom'), 'UNKNOWN'],
  ['has no finish', { type: 'text-start', id: '0' }, 'INCOMPLETE_STREAM'],
])('an answer that %s is a failure', async (_, part, code) => {
  expect((await failureOf(chunksOf(fromAiSdk(partsModel([part]))))).code).toBe(code)
})
