import type { AiSdkModel } from './sdk-model.js'
import type { CallIdForm } from './wire-call-ids.js'

/** What the form of a request depends on beside the request. */
export interface Dialect {
  readonly version: AiSdkModel['specificationVersion']
  /** Whether a tool result may hold images. Elsewhere they follow the results, in a message of the user. */
  readonly imagesInResults: boolean
  /** Whether every JSON Schema is taken, or only what OpenAI's dialect can say. */
  readonly anySchema: boolean
  readonly callIds: CallIdForm
}

/** By provider name, which the AI SDK's own providers write as `anthropic.messages` or `google.generative-ai`. */
export function dialectOf({ specificationVersion: version, provider }: AiSdkModel): Dialect {
  const family = provider.toLowerCase()
  const anthropic = /anthropic|bedrock/.test(family)
  const google = /google|vertex/.test(family)
  return {
    version,
    imagesInResults: anthropic || google || family.endsWith('.responses'),
    anySchema: anthropic || google,
    callIds: family.includes('mistral') ? 'mistral' : 'common',
  }
}
