import { type AiSdkModel } from '@agent-spine/ai-sdk'

/** How a provider is reached. */
export interface ModelAccess {
  readonly baseURL: string
  /** Left out where the provider needs none and none is set. */
  readonly apiKey?: string
}

/** A provider of real models, as `--model PROVIDER:MODEL` names it. */
export interface ModelProvider {
  readonly name: string
  readonly shortName?: string
  /** Where its key may be: the first that is set counts. These are the names that it and its package document. */
  readonly variables: readonly string[]
  readonly needsKey: boolean
  /** Where it is, unless `--base-url` says otherwise. Without one, `--base-url` has to. */
  readonly url?: string
  /** A model that exists, for help and hints. */
  readonly example: string
  /** Loads the provider's package, and only then. */
  open(modelId: string, access: ModelAccess): Promise<AiSdkModel>
}

export const modelProviders: readonly ModelProvider[] = [
  {
    name: 'openai',
    variables: ['OPENAI_API_KEY'],
    needsKey: true,
    url: 'https://api.openai.com/v1',
    example: 'openai:gpt-5-mini',
    async open(modelId, access) {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI(access).chat(modelId)
    },
  },
  {
    name: 'anthropic',
    variables: ['ANTHROPIC_API_KEY'],
    needsKey: true,
    url: 'https://api.anthropic.com/v1',
    example: 'anthropic:claude-sonnet-4-5',
    async open(modelId, access) {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic(access)(modelId)
    },
  },
  {
    name: 'deepseek',
    variables: ['DEEPSEEK_API_KEY'],
    needsKey: true,
    url: 'https://api.deepseek.com',
    example: 'deepseek:deepseek-chat',
    async open(modelId, access) {
      const { createDeepSeek } = await import('@ai-sdk/deepseek')
      return createDeepSeek(access)(modelId)
    },
  },
  {
    name: 'google',
    variables: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    needsKey: true,
    url: 'https://generativelanguage.googleapis.com/v1beta',
    example: 'google:gemini-2.5-flash',
    async open(modelId, access) {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
      return createGoogleGenerativeAI(access)(modelId)
    },
  },
  {
    name: 'openai-compatible',
    shortName: 'compatible',
    variables: ['OPENAI_COMPATIBLE_API_KEY'],
    needsKey: false,
    example: 'openai-compatible:qwen3 --base-url http://localhost:11434/v1',
    async open(modelId, access) {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      return createOpenAICompatible({ ...access, name: 'compatible', includeUsage: true })(modelId)
    },
  },
]
