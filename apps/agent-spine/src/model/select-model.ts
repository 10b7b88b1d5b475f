import { type LanguageModel } from '@agent-spine/model'
import { usageError } from '../command-error.js'
import { modelKey } from './model-key.js'
import { parseModelName } from './model-name.js'
import { scriptedModel } from './scripted-model.js'
import { type WarningModel } from './warning-model.js'

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
): Promise<LanguageModel | WarningModel> {
  const named = parseModelName(choice.model)
  if (named === undefined) {
    if (choice.baseUrl === undefined) return scriptedModel()
    throw usageError(
      'expected --base-url only with a real model, found it with the scripted one',
      'name a model too: --model openai-compatible:MODEL',
    )
  }
  const { provider, modelId } = named
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
  const named = parseModelName(model)
  return named !== undefined && modelKey(named.provider, environment) !== undefined
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
