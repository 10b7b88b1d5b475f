import { CommandError, usageError } from '../command-error.js'
import { modelProviders, type ModelProvider } from './model-providers.js'

/** What `--model` takes for the model that needs no provider. */
export const defaultModel = 'scripted'

/** A model of a provider. */
export interface NamedModel {
  readonly provider: ModelProvider
  readonly modelId: string
}

/**
 * What a person means by `--model`: the provider is what is before the first colon, since ids of models may have more. A
 * slash does as well as a colon, and a provider may have a shorter name. Answers `undefined` for the scripted model.
 *
 * @throws CommandError `USAGE` or `UNKNOWN_PROVIDER`
 */
export function parseModelName(name: string): NamedModel | undefined {
  if (name === defaultModel) return undefined
  const [, providerName = '', modelId = ''] = /^([^:/]*)[:/]?(.*)$/s.exec(name) ?? []
  const provider = modelProviders.find(
    ({ name: known, shortName }) => providerName === known || providerName === shortName,
  )
  if (provider !== undefined && modelId.trim() !== '') return { provider, modelId }
  if (provider !== undefined) {
    throw usageError(
      `expected --model to name a model of ${provider.name} too, found ${JSON.stringify(name)}`,
      `for example --model ${provider.example}`,
    )
  }
  if (providerName === '' || modelId.trim() === '') {
    throw usageError(
      `expected --model to be ${defaultModel} or PROVIDER:MODEL, found ${JSON.stringify(name)}`,
      'for example --model anthropic:claude-sonnet-4-5; "--model list" shows the providers',
    )
  }
  const known = modelProviders.map(candidate => candidate.name).join(', ')
  throw new CommandError(
    'UNKNOWN_PROVIDER',
    `expected a provider of models before the colon, found ${JSON.stringify(providerName)}`,
    {
      hint: `the providers are ${known}; any other that speaks OpenAI's chat completions is openai-compatible:MODEL with --base-url URL`,
      exitCode: 2,
    },
  )
}

/** The one way to write a model that a person may write in several. @throws CommandError as {@link parseModelName} does */
export function modelName(name: string): string {
  const named = parseModelName(name)
  return named === undefined ? defaultModel : `${named.provider.name}:${named.modelId}`
}
