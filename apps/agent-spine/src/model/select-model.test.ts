import { describe, expect, it } from 'vitest'
import { CommandError } from '../command-error.js'
import { selectModel, type ModelChoice } from './select-model.js'

async function refusal(choice: ModelChoice, environment: NodeJS.ProcessEnv = {}): Promise<CommandError> {
  const error: unknown = await selectModel(choice, environment).catch((thrown: unknown) => thrown)
  if (error instanceof CommandError) return error
  throw new Error('expected a CommandError')
}

const local = 'http://127.0.0.1:9'

describe('a choice that cannot be is refused as wrong usage, with a hint', () => {
  it.each<ModelChoice & { code: string; says: string }>([
    { model: 'gpt-5', code: 'USAGE', says: 'PROVIDER:MODEL' },
    { model: '', code: 'USAGE', says: 'PROVIDER:MODEL' },
    { model: 'openai:', code: 'USAGE', says: 'a model of openai too' },
    { model: ':gpt-5', code: 'USAGE', says: 'PROVIDER:MODEL' },
    { model: 'nobody:gpt-5', code: 'UNKNOWN_PROVIDER', says: 'openai, anthropic, deepseek, google' },
    { model: 'constructor:gpt-5', code: 'UNKNOWN_PROVIDER', says: '"constructor"' },
    { model: 'openai:gpt-5', code: 'MODEL_KEY_MISSING', says: 'export OPENAI_API_KEY=' },
    { model: 'google:gemini', code: 'MODEL_KEY_MISSING', says: 'or GEMINI_API_KEY' },
    { model: 'openai-compatible:x', code: 'USAGE', says: '--base-url' },
    { model: 'openai-compatible:x', baseUrl: 'localhost:80', code: 'USAGE', says: 'http://' },
    { model: 'openai-compatible:x', baseUrl: 'file:///x', code: 'USAGE', says: 'http://' },
    { model: 'scripted', baseUrl: local, code: 'USAGE', says: 'only with a real model' },
  ])('$model at $baseUrl → $code', async ({ code, says, ...choice }) => {
    const error = await refusal(choice)
    expect(error).toMatchObject({ code, exitCode: 2, hint: expect.any(String) as string })
    expect(`${error.message} ${error.hint ?? ''}`).toContain(says)
  })

  it.each(['http://user:s3cret@127.0.0.1:9', `${local}/?key=s3cret`, `${local}/#s3cret`, 's3cret'])(
    'an address with a secret in it is not repeated: %s',
    async baseUrl => {
      const error = await refusal({ model: 'openai-compatible:x', baseUrl })
      expect(error.code).toBe('USAGE')
      expect(`${error.message} ${error.hint ?? ''}`).not.toContain('s3cret')
    },
  )

  it('a key that no header can hold is not repeated', async () => {
    const error = await refusal({ model: 'openai:x' }, { OPENAI_API_KEY: 's3cret\nmore' })
    expect(error.code).toBe('MODEL_KEY_INVALID')
    expect(error.message).not.toContain('s3cret')
  })

  it('an empty variable is no key, and the next one counts', async () => {
    expect(await refusal({ model: 'openai:x' }, { OPENAI_API_KEY: ' ' })).toMatchObject({
      code: 'MODEL_KEY_MISSING',
    })
    const model = await selectModel({ model: 'google:x' }, { GEMINI_API_KEY: '', GOOGLE_API_KEY: 'k' })
    expect(model).toMatchObject({ provider: 'google.generative-ai', modelId: 'x' })
  })
})
