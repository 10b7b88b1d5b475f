import { expect, it } from 'vitest'
import { modelName, parseModelName } from './model-name.js'

it.each([
  ['openai:gpt-5-mini', 'openai', 'gpt-5-mini'],
  ['openai/gpt-5-mini', 'openai', 'gpt-5-mini'],
  ['openai-compatible:vendor/model-1', 'openai-compatible', 'vendor/model-1'],
  ['compatible/qwen3:8b', 'openai-compatible', 'qwen3:8b'],
  ['google:models/gemini:latest', 'google', 'models/gemini:latest'],
])(
  '%s is the provider %s and its model %s, whose id keeps its colons and slashes',
  (name, provider, modelId) => {
    const named = parseModelName(name)
    expect({ provider: named?.provider.name, modelId: named?.modelId }).toEqual({ provider, modelId })
  },
)

it('is written in one way, whichever way a person wrote it', () => {
  expect(
    ['compatible/x', 'compatible:x', 'openai-compatible/x', 'openai-compatible:x'].map(modelName),
  ).toEqual(Array(4).fill('openai-compatible:x'))
  expect(modelName('scripted')).toBe('scripted')
})

it.each([
  ['openai', 'USAGE', 'a model of openai too'],
  ['openai:', 'USAGE', 'a model of openai too'],
  ['compatible/ ', 'USAGE', 'a model of openai-compatible too'],
  ['gpt-5', 'USAGE', 'PROVIDER:MODEL'],
  ['', 'USAGE', 'PROVIDER:MODEL'],
  [':x', 'USAGE', 'PROVIDER:MODEL'],
  ['scripted:x', 'UNKNOWN_PROVIDER', '"scripted"'],
  ['nobody:x', 'UNKNOWN_PROVIDER', '"nobody"'],
  ['undefined:x', 'UNKNOWN_PROVIDER', '"undefined"'],
])('%j is refused with %s, and says what is missing', (name, code, says) => {
  expect(() => parseModelName(name)).toThrow(
    expect.objectContaining({ code, exitCode: 2, message: expect.stringContaining(says) as string }) as Error,
  )
})
