import { type LanguageModel } from '@agent-spine/model'
import { CommandError, usageError } from '../command-error.js'
import { modelKey } from './model-key.js'
import { modelProviders, type ModelProvider } from './model-providers.js'
import { scriptedModel } from './scripted-model.js'

export const defaultModel = 'scripted'

/** Which model answers, and where it is. */
export interface ModelChoice {
  readonly model: string
  /** Left out for where the provider documents to be. */
  readonly baseUrl?: string | undefined
}

/** The model that a choice names. Nothing is sent anywhere yet. @throws CommandError for names, addresses and keys */
export async function selectModel(
  choice: ModelChoice,
  environment: NodeJS.ProcessEnv,
): Promise<LanguageModel> {
  if (choice.model === defaultModel) {
    if (choice.baseUrl === undefined) return scriptedModel()
    throw usageError(
      'expected --base-url only with a real model, found it with the scripted one',
      'name a model too: --model compatible/MODEL',
    )
  }
  const { provider, modelId } = parseModelName(choice.model)
  const baseURL = checkedUrl(choice.baseUrl) ?? provider.url
  if (baseURL === undefined) {
    throw usageError(
      `expected --base-url with ${choice.model}, found none`,
      `for example --model ${provider.example}`,
    )
  }
  const apiKey = modelKey(provider, environment)
  const access = { baseURL, ...(apiKey !== undefined && { apiKey }) }
  const { realModel } = await import('./real-model.js')
  return realModel(await provider.open(modelId, access), { name: choice.model, secret: apiKey })
}

/** Whether a choice sends a key along. */
export function sendsKey({ model }: ModelChoice, environment: NodeJS.ProcessEnv): boolean {
  return model !== defaultModel && modelKey(parseModelName(model).provider, environment) !== undefined
}

/** The provider is what is before the first slash; ids of models may have more. */
function parseModelName(name: string): { readonly provider: ModelProvider; readonly modelId: string } {
  const slash = name.indexOf('/')
  const [providerName, modelId] = [name.slice(0, slash), name.slice(slash + 1)]
  if (slash < 1 || modelId.trim() === '') {
    throw usageError(
      `expected --model to be ${defaultModel} or PROVIDER/MODEL, found ${JSON.stringify(name)}`,
      'for example --model anthropic/claude-sonnet-4-5; "--model list" shows the providers',
    )
  }
  const provider = modelProviders.find(candidate => candidate.name === providerName)
  if (provider !== undefined) return { provider, modelId }
  throw new CommandError(
    'UNKNOWN_PROVIDER',
    `expected a provider of models before the slash, found ${JSON.stringify(providerName)}`,
    {
      hint: `the providers are ${modelProviders.map(candidate => candidate.name).join(', ')}; any other that speaks OpenAI's chat completions is compatible/MODEL with --base-url URL`,
      exitCode: 2,
    },
  )
}

/** What a log may hold: an address, and no secret in it. */
function checkedUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw usageError(
      'expected --base-url to be an address that begins with http:// or https://',
      'for example --base-url http://localhost:11434/v1',
    )
  }
  if (url.username || url.password || url.search || url.hash) {
    throw usageError(
      'expected --base-url to be an address alone, found a user, a password, a query or a fragment in it',
      'keys belong into the environment: "--model list" names the variables',
    )
  }
  return text
}
