import { asSchema, generateText, stepCountIs, tool } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { expect, expectTypeOf, it } from 'vitest'
import { defineParameters } from './index.js'

// The real AI SDK takes a validator as it is, through Standard Schema and Standard JSON Schema.

const parameters = defineParameters(
  {
    city: { type: 'string', required: true, description: 'Where.' },
    days: { type: 'integer' },
    stops: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        properties: { name: { type: 'string', required: true } },
      },
    },
  },
  { closed: true },
)

type Content = Awaited<ReturnType<MockLanguageModelV3['doGenerate']>>['content']

/** What the AI SDK does when a model calls the tool with this text. */
async function callWith(input: string) {
  const executed: unknown[] = []
  const answer = (content: Content, unified: 'tool-calls' | 'stop') => ({
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
      answer([{ type: 'tool-call', toolCallId: 'call-1', toolName: 'weather', input }], 'tool-calls'),
      answer([{ type: 'text', text: 'done' }], 'stop'),
    ],
  })
  const weather = tool({
    description: 'The weather.',
    inputSchema: parameters,
    execute: args => {
      expectTypeOf(args).toEqualTypeOf<{ city: string; days?: number; stops?: { name: string }[] }>()
      executed.push(args)
      return 'sunny'
    },
  })
  const { steps } = await generateText({
    model,
    tools: { weather },
    prompt: 'How is the weather?',
    stopWhen: stepCountIs(2),
  })
  return { executed, steps, requests: model.doGenerateCalls }
}

// The AI SDK writes `additionalProperties` into the JSON Schema it is given, down to the last property. It gets a copy.
it('sends our JSON Schema to the model, and the input that fits to the tool', async () => {
  const { executed, steps, requests } = await callWith('{"city":"Oslo","stops":[{"name":"a"}]}')
  expect(executed).toEqual([{ city: 'Oslo', stops: [{ name: 'a' }] }])
  expect(steps[0]?.toolResults).toMatchObject([{ output: 'sunny' }])
  expect(requests[0]?.tools?.map(sent => ('inputSchema' in sent ? sent.inputSchema : sent.id))).toEqual([
    { $schema: 'http://json-schema.org/draft-07/schema#', ...parameters.jsonSchema },
  ])
})

it('keeps the input that does not fit from the tool, and tells the model every reason', async () => {
  const { executed, requests } = await callWith('{"days":"3","stops":[{}]}')
  expect(executed).toEqual([])
  const told = JSON.stringify(requests[1]?.prompt)
  expect(told).toContain('is required but missing (expected a string)')
  expect(told).toContain('must be an integer')
  expect(told).toContain('/stops/0/name')
})

it('is a schema of the AI SDK with our verdict', async () => {
  const schema = asSchema(parameters)
  expect(await schema.validate?.({ city: 'Oslo', days: 1.5 })).toMatchObject({
    success: false,
    error: { cause: [{ path: ['days'] }] },
  })
  expect(await schema.validate?.({ city: 'Oslo' })).toEqual({ success: true, value: { city: 'Oslo' } })
})
