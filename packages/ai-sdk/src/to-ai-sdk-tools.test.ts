import {
  createToolRuntime,
  defineTool,
  type Tool,
  type ToolOutcome,
  type ToolRuntime,
} from '@agent-spine/tools'
import { generateText, stepCountIs } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { describe, expect, it } from 'vitest'
import { AiSdkToolError } from './ai-sdk-tool-error.js'
import { toAiSdkTools, type ToAiSdkToolsOptions } from './to-ai-sdk-tools.js'

type Generated = Awaited<ReturnType<MockLanguageModelV3['doGenerate']>>

/** A run of `generateText` whose model makes these calls at once, and then says that it is done. */
async function generated(
  tools: ToolRuntime | readonly Tool[],
  calls: readonly (readonly [toolName: string, input: string])[],
  options: ToAiSdkToolsOptions = {},
) {
  const answer = (content: Generated['content'], unified: 'tool-calls' | 'stop'): Generated => ({
    content,
    finishReason: { unified, raw: unified },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    },
    warnings: [],
  })
  const model = new MockLanguageModelV3({
    doGenerate: [
      answer(
        calls.map(([toolName, input], index) => ({
          type: 'tool-call',
          toolCallId: `c${index}`,
          toolName,
          input,
        })),
        'tool-calls',
      ),
      answer([{ type: 'text', text: 'Done.' }], 'stop'),
    ],
  })
  const result = await generateText({
    model,
    tools: toAiSdkTools(tools, options),
    prompt: 'Go.',
    stopWhen: stepCountIs(2),
  })
  const [first, second] = model.doGenerateCalls
  const outputs = second?.prompt.flatMap(message =>
    message.role === 'tool'
      ? message.content.flatMap(part => (part.type === 'tool-result' ? [part.output] : []))
      : [],
  )
  return { result, outputs, offered: first?.tools }
}

const seen: unknown[] = []
const add = defineTool({
  name: 'add',
  description: 'Adds two integers.',
  parameters: { a: { type: 'integer', required: true }, b: { type: 'integer', required: true } },
  output: { type: 'integer' },
  execute: ({ a, b }) => {
    seen.push([a, b])
    return a + b
  },
})

describe('in generateText', () => {
  it('a call runs, the model reads its text, and the caller has its value', async () => {
    const { result, outputs } = await generated([add], [['add', '{"a":2,"b":3}']])
    expect(outputs).toEqual([{ type: 'text', value: '5' }])
    expect(result.steps[0]?.toolResults[0]?.output).toMatchObject({ value: 5 })
    expect(result.text).toBe('Done.')
  })

  it('the model is told the parameters as they are', async () => {
    const { offered } = await generated([add], [['add', '{"a":2,"b":3}']])
    expect(offered).toMatchObject([{ type: 'function', name: 'add', description: 'Adds two integers.' }])
    expect(offered?.[0]).toHaveProperty('inputSchema', add.parameters)
  })

  it('arguments that do not fit never reach a body, and the model is told why', async () => {
    seen.length = 0
    const { outputs } = await generated(
      [add],
      [
        ['add', '{"a":"2","b":3}'],
        ['add', '[1,2]'],
        ['add', '{"a":1'],
      ],
    )
    expect(seen).toEqual([])
    expect(outputs).toMatchObject([
      { type: 'error-text', value: expect.stringContaining('"a" must be an integer') as string },
      { type: 'error-text', value: expect.stringContaining('must be an object') as string },
      { type: 'error-text' },
    ])
  })

  it('a hook that denies is heard, and so is every outcome', async () => {
    seen.length = 0
    const runtime = createToolRuntime({
      tools: [add],
      hooks: { preExecute: () => ({ kind: 'deny', reason: 'not today' }) },
    })
    const codes: unknown[] = []
    runtime.onOutcome(({ outcome }) => codes.push(outcome.error?.code))
    const { outputs, result } = await generated(runtime, [['add', '{"a":1,"b":2}']])
    expect(seen).toEqual([])
    expect(codes).toEqual(['DENIED'])
    expect(outputs).toMatchObject([
      { type: 'error-text', value: expect.stringContaining('not today') as string },
    ])
    const error = result.steps[0]?.content.find(part => part.type === 'tool-error')?.error
    expect(AiSdkToolError.is(error) && [error.code, error.outcome.isError]).toEqual(['DENIED', true])
  })

  it('images and messages for the model are part of what it reads', async () => {
    const look = defineTool({
      name: 'look',
      description: 'Looks.',
      parameters: {},
      output: {
        schema: { type: 'string' },
        render: text => [
          { type: 'text', text },
          { type: 'image', mediaType: 'image/png', data: { kind: 'base64', base64: 'AAAA' } },
        ],
      },
      execute: (_, { deferContext }) => {
        deferContext('Mind the gap.')
        return 'seen'
      },
    })
    const { outputs } = await generated([look], [['look', '{}']])
    expect(outputs).toEqual([
      {
        type: 'content',
        value: [
          { type: 'text', text: 'seen' },
          { type: 'image-data', data: 'AAAA', mediaType: 'image/png' },
          { type: 'text', text: 'Mind the gap.' },
        ],
      },
    ])
  })

  it('calls overlap only where their tools allow it', async () => {
    const log: string[] = []
    const step = (name: string, safe: boolean) =>
      defineTool({
        name,
        description: 'Steps.',
        parameters: {},
        isConcurrencySafe: () => safe,
        execute: async () => {
          log.push(`${name} begins`)
          await new Promise(resolve => setImmediate(resolve))
          log.push(`${name} ends`)
          return name
        },
      })
    await generated(
      [step('read', true), step('write', false)],
      [
        ['read', '{}'],
        ['read', '{}'],
        ['write', '{}'],
        ['read', '{}'],
      ],
    )
    expect(log).toEqual([
      'read begins',
      'read begins',
      'read ends',
      'read ends',
      'write begins',
      'write ends',
      'read begins',
      'read ends',
    ])
  })
})

describe('outside', () => {
  const [tool] = Object.values(toAiSdkTools([add]))

  it('an aborted call never runs', async () => {
    seen.length = 0
    const call = tool?.execute({ a: 1, b: 2 }, { toolCallId: 'c', abortSignal: AbortSignal.abort() })
    await expect(call).rejects.toMatchObject({ code: 'ABORTED_BEFORE_DISPATCH' })
    expect(seen).toEqual([])
  })

  it.each([undefined, 'text', 5n])('a value that is no JSON object never reaches a body: %s', async input => {
    seen.length = 0
    await expect(tool?.execute(input, { toolCallId: 'c' })).rejects.toMatchObject({ code: 'INVALID_ARGS' })
    expect(seen).toEqual([])
  })

  it('a tool that fails without a code has one', async () => {
    const fail = defineTool({
      name: 'fail',
      description: 'Fails.',
      parameters: {},
      execute: () => {
        throw new Error('boom')
      },
    })
    const call = toAiSdkTools([fail])['fail']?.execute({}, { toolCallId: 'c' })
    await expect(call).rejects.toMatchObject({ code: 'TOOL_FAILED', message: 'boom' })
  })

  it('an image by address is one for the model too', () => {
    const image = {
      type: 'image',
      mediaType: 'image/png',
      data: { kind: 'url', url: 'https://example.com/a' },
    } as const
    const output: ToolOutcome = { content: [image] }
    expect(tool?.toModelOutput({ output })).toEqual({
      type: 'content',
      value: [{ type: 'image-url', url: 'https://example.com/a' }],
    })
  })

  it('a schema that a consumer changes is a copy', () => {
    const schema = tool?.inputSchema['~standard'].jsonSchema.input({ target: 'draft-07' }) ?? {}
    schema['additionalProperties'] = false
    expect(add.parameters).not.toHaveProperty('additionalProperties')
  })

  it('progress is told to whoever asked', async () => {
    const told: unknown[] = []
    const slow = defineTool({
      name: 'slow',
      description: 'Tells.',
      parameters: {},
      execute: (_, { progress }) => {
        progress(1)
        return 'ok'
      },
    })
    const tools = toAiSdkTools([slow], { progress: (callId, update) => told.push([callId, update]) })
    await tools['slow']?.execute({}, { toolCallId: 'c' })
    expect(told).toEqual([['c', 1]])
  })
})
