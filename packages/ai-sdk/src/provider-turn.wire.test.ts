import { createAnthropic } from '@ai-sdk/anthropic'
import { createDeepSeek } from '@ai-sdk/deepseek'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { describe, expect, it } from 'vitest'
import { anthropicEvents } from '../test/anthropic-wire.js'
import { googleEvents } from '../test/google-wire.js'
import { openAICall, openAIEvents, openAIUsage } from '../test/openai-wire.js'
import { streamReply, type WireRequest } from '../test/wire-server.js'
import { expectSound, wireTurn } from '../test/wire-turn.js'
import { testServer } from '../test/with-server.js'
import { fromAiSdk } from './from-ai-sdk.js'
import type { AiSdkModel } from './sdk-model.js'

/** A turn of two steps: what came of it, and its requests. */
async function turn(makeModel: (url: string) => AiSdkModel, ...answers: readonly string[][]) {
  const server = await testServer(...answers.map(events => streamReply(events)))
  const run = wireTurn(fromAiSdk(makeModel(server.url)), { system: 'Be brief.' })
  const outcome = await run.agent.prompt('Read a.')
  expectSound(run)
  expect(outcome.reason).toEqual({ kind: 'completed' })
  expect(outcome.text).toBe('Done.')
  return { outcome, requests: server.requests }
}

const last = (requests: readonly WireRequest[]) => requests.at(-1)?.json

describe('OpenAI chat completions', () => {
  const model = (baseURL: string) =>
    createOpenAICompatible({ name: 'acme', baseURL, apiKey: 'k', includeUsage: true })('test-model')
  const done = openAIEvents([{ delta: { content: 'Done.' } }, { finish: 'stop', usage: openAIUsage }])

  it('gets interleaved parallel calls back, each answered by its id', async () => {
    const { outcome, requests } = await turn(
      model,
      openAIEvents([
        { delta: { role: 'assistant', content: 'I will ' } },
        { delta: { content: 'read.' } },
        openAICall(0, '{"pa', { id: 'call_a', name: 'read_file' }),
        openAICall(1, '', { id: 'call_b', name: 'now' }),
        openAICall(0, 'th":"a"}'),
        openAICall(1, '{}'),
        { finish: 'tool_calls', usage: openAIUsage },
      ]),
      done,
    )
    expect(last(requests)?.['messages']).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Read a.' },
      {
        role: 'assistant',
        content: 'I will read.',
        tool_calls: [
          { id: 'call_a', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } },
          { id: 'call_b', type: 'function', function: { name: 'now', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_a', content: 'text of a' },
      { role: 'tool', tool_call_id: 'call_b', content: 'noon' },
    ])
    expect(outcome.usage).toEqual({
      inputTokens: 72,
      cacheReadTokens: 128,
      outputTokens: 30,
      reasoningTokens: 10,
    })
  })

  it.each([
    ['no id', {}],
    ['an empty id', { id: '' }],
    ['an id of other characters', { id: 'functions.now:0' }],
    ['an id of 60 characters', { id: 'x'.repeat(60) }],
  ])('gets a call that came with %s and no arguments back under one id', async (_, id) => {
    const { requests } = await turn(
      model,
      openAIEvents([openAICall(0, '', { ...id, name: 'now' }), { finish: 'tool_calls' }]),
      done,
    )
    const [, , call, result] = last(requests)?.['messages'] as readonly Record<string, unknown>[]
    const [first] = call?.['tool_calls'] as readonly Record<string, unknown>[]
    expect(first).toMatchObject({ type: 'function', function: { name: 'now', arguments: '{}' } })
    expect(first?.['id']).toMatch(/^[A-Za-z0-9_-]{1,40}$/)
    expect(result).toEqual({ role: 'tool', tool_call_id: first?.['id'], content: 'noon' })
  })

  it('gets {} for arguments that are no JSON, a name that it accepts, and the reasons as results', async () => {
    const { requests } = await turn(
      model,
      openAIEvents([
        openAICall(0, '{"path": a}', { id: 'call_a', name: 'read_file' }),
        openAICall(1, '{}', { id: 'call_b', name: 'no such tool!' }),
        { finish: 'tool_calls' },
      ]),
      done,
    )
    const [, , call, ...results] = last(requests)?.['messages'] as readonly Record<string, unknown>[]
    expect(call?.['tool_calls']).toEqual([
      { id: 'call_a', type: 'function', function: { name: 'read_file', arguments: '{}' } },
      { id: 'call_b', type: 'function', function: { name: 'no_such_tool_', arguments: '{}' } },
    ])
    expect(results.map(({ content }) => content)).toEqual([
      expect.stringContaining('not valid JSON'),
      expect.stringContaining('no tool "no such tool!"'),
    ])
  })
})

describe('DeepSeek', () => {
  it('gets its reasoning back with the calls that followed it', async () => {
    const { outcome, requests } = await turn(
      baseURL => createDeepSeek({ baseURL, apiKey: 'k' })('deepseek-reasoner'),
      openAIEvents([
        { delta: { role: 'assistant', content: null, reasoning_content: 'I should ' } },
        { delta: { reasoning_content: 'look.' } },
        openAICall(0, '{"path":', { id: 'call_00_a', name: 'read_file' }),
        openAICall(0, '"a"}'),
        {
          finish: 'tool_calls',
          usage: {
            prompt_tokens: 100,
            completion_tokens: 20,
            total_tokens: 120,
            prompt_cache_hit_tokens: 64,
            prompt_cache_miss_tokens: 36,
            completion_tokens_details: { reasoning_tokens: 5 },
          },
        },
      ]),
      openAIEvents([{ delta: { content: 'Done.' } }, { finish: 'stop' }]),
    )
    expect(last(requests)?.['messages']).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Read a.' },
      {
        role: 'assistant',
        content: '',
        reasoning_content: 'I should look.',
        tool_calls: [
          { id: 'call_00_a', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_00_a', content: 'text of a' },
    ])
    expect(outcome.usage).toEqual({
      inputTokens: 36,
      cacheReadTokens: 64,
      outputTokens: 15,
      reasoningTokens: 5,
    })
  })
})

describe('Anthropic messages', () => {
  it('gets its thinking back with signatures, and all results in one message', async () => {
    const { outcome, requests } = await turn(
      baseURL => createAnthropic({ baseURL, apiKey: 'k' })('claude-sonnet-4-5'),
      anthropicEvents(
        [
          { thinking: ['I should ', 'look.'], signature: 'c2ln' },
          { redacted: 'ZW5j' },
          { text: ['Read', 'ing.'] },
          { tool: 'read_file', id: 'toolu_a', json: ['', '{"path":', '"a"}'] },
          { tool: 'now', id: 'toolu_b', json: [] },
        ],
        'tool_use',
      ),
      anthropicEvents([{ text: ['Done.'] }], 'end_turn'),
    )
    expect(last(requests)).toMatchObject({
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Read a.' }] },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'I should look.', signature: 'c2ln' },
            { type: 'redacted_thinking', data: 'ZW5j' },
            { type: 'text', text: 'Reading.' },
            { type: 'tool_use', id: 'toolu_a', name: 'read_file', input: { path: 'a' } },
            { type: 'tool_use', id: 'toolu_b', name: 'now', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_a', content: 'text of a' },
            { type: 'tool_result', tool_use_id: 'toolu_b', content: 'noon' },
          ],
        },
      ],
    })
    expect(outcome.usage).toEqual({
      inputTokens: 60,
      cacheReadTokens: 120,
      cacheWriteTokens: 20,
      outputTokens: 40,
    })
  })

  it('gets an error as an error', async () => {
    const { requests } = await turn(
      baseURL => createAnthropic({ baseURL, apiKey: 'k' })('claude-sonnet-4-5'),
      anthropicEvents([{ tool: 'read_file', id: 'toolu_a', json: ['{"path":5}'] }], 'tool_use'),
      anthropicEvents([{ text: ['Done.'] }], 'end_turn'),
    )
    expect(last(requests)).toMatchObject({
      messages: [
        {},
        { content: [{ type: 'tool_use', input: { path: 5 } }] },
        {
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'toolu_a',
              is_error: true,
              content: expect.stringContaining('invalid arguments') as string,
            },
          ],
        },
      ],
    })
  })
})

describe('Gemini', () => {
  it('gets its thought signatures back, and as many answers in one turn as it made calls', async () => {
    const { outcome, requests } = await turn(
      baseURL => createGoogleGenerativeAI({ baseURL, apiKey: 'k' })('gemini-3-pro-preview'),
      googleEvents(
        [
          [{ text: 'I should look.', thought: true }],
          [
            {
              functionCall: { id: 'fc_a', name: 'read_file', args: { path: 'a' } },
              thoughtSignature: 'c2lnQQ==',
            },
            { functionCall: { id: 'fc_b', name: 'now' } },
          ],
        ],
        'STOP',
      ),
      googleEvents(
        [[{ text: 'Do' }], [{ text: 'ne.' }], [{ text: '', thoughtSignature: 'c2lnQg==' }]],
        'STOP',
      ),
    )
    expect(last(requests)).toMatchObject({
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [
        { role: 'user', parts: [{ text: 'Read a.' }] },
        {
          role: 'model',
          parts: [
            { text: 'I should look.', thought: true },
            {
              functionCall: { id: 'fc_a', name: 'read_file', args: { path: 'a' } },
              thoughtSignature: 'c2lnQQ==',
            },
            { functionCall: { id: 'fc_b', name: 'now', args: {} } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { id: 'fc_a', name: 'read_file', response: { content: 'text of a' } } },
            { functionResponse: { id: 'fc_b', name: 'now', response: { content: 'noon' } } },
          ],
        },
      ],
    })
    expect(outcome.usage).toEqual({
      inputTokens: 120,
      cacheReadTokens: 80,
      outputTokens: 30,
      reasoningTokens: 10,
    })
  })

  it('gets the signature of a text back in the next turn', async () => {
    const server = await testServer(
      streamReply(googleEvents([[{ text: 'Do' }], [{ text: 'ne.', thoughtSignature: 'c2lnQg==' }]], 'STOP')),
      streamReply(googleEvents([[{ text: 'Again.' }]], 'STOP')),
    )
    const { agent } = wireTurn(
      fromAiSdk(createGoogleGenerativeAI({ baseURL: server.url, apiKey: 'k' })('gemini-3-pro-preview')),
    )
    await agent.prompt('One.')
    await agent.prompt('Two.')
    expect(last(server.requests)).toMatchObject({
      contents: [{}, { role: 'model', parts: [{ text: 'Done.', thoughtSignature: 'c2lnQg==' }] }, {}],
    })
  })
})
