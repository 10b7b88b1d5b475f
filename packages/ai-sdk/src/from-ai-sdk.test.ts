import type { ToolSchema } from '@agent-spine/model'
import { HarnessError } from '@agent-spine/schema'
import { simulateReadableStream } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { MockLanguageModelV2 } from 'ai-v5/test'
import { MockLanguageModelV4 } from 'ai-v7/test'
import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { blocksOf, chunksOf, failureOf, request } from '../test/collect.js'
import { finish, partsModel } from '../test/mock-model.js'
import { fromAiSdk } from './from-ai-sdk.js'
import type { AiSdkModel, CallOptions } from './sdk-model.js'

describe("the AI SDK's own mock models", () => {
  const text = [
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: 'Hello' },
    { type: 'text-end', id: '1' },
  ] as const

  it('answer through version 2', async () => {
    const model = new MockLanguageModelV2({
      doStream: {
        stream: simulateReadableStream({
          chunks: [
            ...text,
            {
              type: 'finish',
              finishReason: 'stop',
              usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 },
            },
          ],
          chunkDelayInMs: null,
          initialDelayInMs: null,
        }),
      },
    })
    const chunks = await chunksOf(fromAiSdk(model))
    expect(blocksOf(chunks)).toEqual([{ type: 'text', text: 'Hello' }])
    expect(chunks.slice(-2)).toEqual([
      { type: 'usage', usage: { inputTokens: 3, outputTokens: 2 } },
      { type: 'finish', reason: { kind: 'stop' } },
    ])
  })

  it.each([
    ['3', MockLanguageModelV3],
    ['4', MockLanguageModelV4],
  ])('answer through version %s', async (_, MockLanguageModel) => {
    const model = new MockLanguageModel({
      doStream: {
        stream: simulateReadableStream({
          chunks: [
            ...text,
            {
              type: 'finish',
              finishReason: { unified: 'stop', raw: 'stop' },
              usage: {
                inputTokens: { total: 3, noCache: 1, cacheRead: 2, cacheWrite: undefined },
                outputTokens: { total: 2, text: 2, reasoning: undefined },
              },
            },
          ],
          chunkDelayInMs: null,
          initialDelayInMs: null,
        }),
      },
    })
    const chunks = await chunksOf(fromAiSdk(model))
    expect(blocksOf(chunks)).toEqual([{ type: 'text', text: 'Hello' }])
    expect(chunks.at(-2)).toEqual({
      type: 'usage',
      usage: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 2 },
    })
    expect(model.doStreamCalls).toHaveLength(1)
  })
})

it.each(['v1', 'v5', undefined])(
  'a model of specification %s is refused at the door',
  specificationVersion => {
    const model = { ...partsModel([]), specificationVersion } as unknown as AiSdkModel
    expect(() => fromAiSdk(model)).toThrow(HarnessError)
    expect(() => fromAiSdk(model)).toThrow('pass the model object')
  },
)

describe('a call', () => {
  const tool: ToolSchema = {
    name: 'pick',
    description: 'Picks.',
    parameters: {
      type: 'object',
      properties: { list: { type: 'array' }, one: { oneOf: [{ type: 'string' }, { type: 'integer' }] } },
    },
  }

  it('says all that the request says', async () => {
    const model = partsModel([finish()])
    const settings = {
      temperature: 0.5,
      topP: 0.9,
      topK: 40,
      presencePenalty: 0.1,
      frequencyPenalty: 0.2,
      seed: 7,
      maxOutputTokens: 100,
      stopSequences: ['END'],
    }
    const config = {
      provider: 'acme',
      model: 'test-model',
      ...settings,
      toolChoice: { tool: 'pick' },
      providerOptions: { acme: { effort: 'high' } },
    } as const
    await chunksOf(fromAiSdk(model), { config, tools: [tool] })
    expect(model.calls[0]).toMatchObject({
      ...settings,
      toolChoice: { type: 'tool', toolName: 'pick' },
      providerOptions: { acme: { effort: 'high' } },
      tools: [{ type: 'function', name: 'pick', description: 'Picks.' }],
    })
  })

  it('says nothing that the request does not say', async () => {
    const model = partsModel([finish()])
    await chunksOf(fromAiSdk(model), { tools: [] })
    expect(Object.keys(model.calls[0] ?? {}).sort()).toEqual(['abortSignal', 'prompt'])
  })

  it.each(['auto', 'none', 'required'] as const)('may choose tools: %s', async toolChoice => {
    const model = partsModel([finish()])
    await chunksOf(fromAiSdk(model), { config: { provider: 'a', model: 'b', toolChoice }, tools: [tool] })
    expect(model.calls[0]?.toolChoice).toEqual({ type: toolChoice })
  })

  it.each([
    [
      'acme.chat',
      { list: { type: 'array', items: {} }, one: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
    ],
    ['anthropic.messages', tool.parameters['properties']],
  ])('has schemas in the dialect of %s', async (provider, properties) => {
    const model = partsModel([finish()], { provider })
    await chunksOf(fromAiSdk(model), { tools: [tool] })
    expect(model.calls[0]?.tools?.[0]?.inputSchema['properties']).toEqual(properties)
  })
})

describe('an abort', () => {
  /** A model that ignores its signal. */
  const deaf = (doStream: () => Promise<{ stream: ReadableStream<unknown> }>): AiSdkModel => ({
    ...partsModel([]),
    doStream,
  })

  it('before the call keeps the provider from being asked', async () => {
    const model = partsModel([finish()])
    const answer = chunksOf(fromAiSdk(model), { signal: AbortSignal.abort() })
    expect((await failureOf(answer)).code).toBe('ABORTED')
    expect(model.calls).toHaveLength(0)
  })

  it('ends a call that never opens, and closes the stream that opens after it', async () => {
    const controller = new AbortController()
    let open: (result: { stream: ReadableStream<unknown> }) => void = () => undefined
    const opening = new Promise<{ stream: ReadableStream<unknown> }>(resolve => {
      open = resolve
    })
    const answer = chunksOf(fromAiSdk(deaf(() => opening)), { signal: controller.signal })
    controller.abort()
    expect((await failureOf(answer)).code).toBe('ABORTED')
    await new Promise<void>(resolve => {
      open({
        stream: new ReadableStream({
          cancel: () => {
            resolve()
          },
        }),
      })
    })
  })

  it('ends a stream that never goes on, and cancels it', async () => {
    const controller = new AbortController()
    let cancelled = false
    const stream = new ReadableStream<unknown>({
      start: source => {
        source.enqueue({ type: 'text-delta', id: '0', delta: 'Hel' })
      },
      cancel: () => {
        cancelled = true
      },
    })
    const model = fromAiSdk(deaf(() => Promise.resolve({ stream })))
    const read = async () => {
      for await (const chunk of model.stream(request(model, { signal: controller.signal }))) {
        if (chunk.type === 'text-delta') controller.abort()
      }
    }
    expect((await failureOf(read())).code).toBe('ABORTED')
    expect(cancelled).toBe(true)
  })

  it('is heard through one listener, which no call leaves behind', async () => {
    const { signal } = new AbortController()
    const model = fromAiSdk(partsModel([{ type: 'text-delta', id: '0', delta: 'Hi' }, finish()]))
    for await (const _ of model.stream(request(model, { signal }))) {
      expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    }
    for await (const _ of model.stream(request(model, { signal }))) break
    await failureOf(chunksOf(fromAiSdk(partsModel([])), { signal }))
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })
})

it('a failure of a call that could not even be made is a failure of the model', async () => {
  const model: AiSdkModel = {
    ...partsModel([]),
    doStream: () => {
      throw new Error('no key')
    },
  }
  expect(await failureOf(chunksOf(fromAiSdk(model)))).toMatchObject({ code: 'UNKNOWN', message: 'no key' })
})

it('a provider whose stream cannot be cancelled is told by its signal that nobody reads on', async () => {
  const signals: AbortSignal[] = []
  const stream = new ReadableStream<unknown>({
    start: source => {
      source.enqueue({ type: 'text-delta', id: '0', delta: 'Hel' })
    },
  })
  const model = fromAiSdk({
    ...partsModel([]),
    doStream: ({ abortSignal }: CallOptions) => {
      signals.push(abortSignal)
      return Promise.resolve({ stream })
    },
  })
  for await (const chunk of model.stream(request(model))) if (chunk.type === 'text-delta') break
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
})

it('a provider that has finished is not told to stop', async () => {
  const model = partsModel([finish()])
  await chunksOf(fromAiSdk(model))
  expect(model.calls[0]?.abortSignal.aborted).toBe(false)
})
