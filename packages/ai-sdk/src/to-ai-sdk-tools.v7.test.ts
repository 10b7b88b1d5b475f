import { defineTool } from '@agent-spine/tools'
import { generateText } from 'ai-v7'
import { MockLanguageModelV4 } from 'ai-v7/test'
import { expect, it } from 'vitest'
import { toAiSdkTools } from './to-ai-sdk-tools.js'

// Version 6 is the one of the other tests.

// It warns of a word that version 6 still needs.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

let runs = 0
const look = defineTool({
  name: 'look',
  description: 'Looks.',
  parameters: { at: { type: 'string', required: true } },
  output: {
    schema: { type: 'string' },
    render: text => [
      { type: 'text', text },
      { type: 'image', mediaType: 'image/png', data: { kind: 'base64', base64: 'AAAA' } },
    ],
  },
  execute: ({ at }) => {
    runs++
    return `seen ${at}`
  },
})

const calls = [
  { type: 'tool-call', toolCallId: 'a', toolName: 'look', input: '{"at":"x"}' },
  { type: 'tool-call', toolCallId: 'b', toolName: 'look', input: '{"at":5}' },
] as const
const invalid = expect.stringContaining('"at" must be a string') as string

it('AI SDK 7 takes them', async () => {
  runs = 0
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  }
  const model = new MockLanguageModelV4({
    doGenerate: [
      { content: [...calls], finishReason: { unified: 'tool-calls', raw: 'x' }, usage, warnings: [] },
      {
        content: [{ type: 'text', text: 'Done.' }],
        finishReason: { unified: 'stop', raw: 'x' },
        usage,
        warnings: [],
      },
    ],
  })
  await generateText({
    model,
    tools: toAiSdkTools([look]),
    prompt: 'Go.',
    stopWhen: ({ steps }) => steps.length === 2,
  })
  const [first, second] = model.doGenerateCalls
  expect(first?.tools?.[0]).toHaveProperty('inputSchema', look.parameters)
  expect(runs).toBe(1)
  expect(second?.prompt.at(-1)?.content).toMatchObject([
    {
      output: {
        type: 'content',
        value: [
          { type: 'text', text: 'seen x' },
          { type: 'file', data: { type: 'data', data: 'AAAA' }, mediaType: 'image/png' },
        ],
      },
    },
    { output: { type: 'error-text', value: invalid } },
  ])
})
