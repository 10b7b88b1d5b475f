/** The AI SDK's real providers, each pointed at a server of ours, with the answers of its wire format. */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createAnthropic as createAnthropicV2 } from '@ai-sdk/anthropic-v2'
import { createAnthropic as createAnthropicV4 } from '@ai-sdk/anthropic-v4'
import { createDeepSeek } from '@ai-sdk/deepseek'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createOpenAICompatible as createOpenAICompatibleV2 } from '@ai-sdk/openai-compatible-v2'
import { createOpenAICompatible as createOpenAICompatibleV4 } from '@ai-sdk/openai-compatible-v4'
import type { AiSdkModel } from '../src/index.js'
import { anthropicEvents } from './anthropic-wire.js'
import { googleEvents } from './google-wire.js'
import { openAICall, openAIEvents, openAIUsage } from './openai-wire.js'

export interface WireProvider {
  readonly name: string
  readonly model: (url: string) => AiSdkModel
  /** The events of an answer of text alone. */
  readonly text: (text: string) => string[]
  /** The events of an answer of text that has begun and not ended. */
  readonly begun: (text: string) => string[]
  /** The events of an answer that asks for `read_file` once for each path. */
  readonly reads: (...paths: readonly string[]) => string[]
  /** Where the conversation is in the body of a request. */
  readonly conversation: 'messages' | 'contents'
  /** Whether its events have names. */
  readonly named: boolean
  /** An error, as the provider words it. */
  readonly error: (word: string, message: string) => unknown
}

const apiKey = 'test-key'

const openAI = {
  text: (text: string) =>
    openAIEvents([{ delta: { role: 'assistant', content: text } }, { finish: 'stop', usage: openAIUsage }]),
  begun: (text: string) => openAIEvents([{ delta: { role: 'assistant', content: text } }]).slice(0, 1),
  reads: (...paths: readonly string[]) =>
    openAIEvents([
      ...paths.map((path, index) =>
        openAICall(index, JSON.stringify({ path }), { id: `call_${path}`, name: 'read_file' }),
      ),
      { finish: 'tool_calls', usage: openAIUsage },
    ]),
  conversation: 'messages',
  named: false,
  error: (type: string, message: string) => ({ error: { message, type, code: null, param: null } }),
} as const

const anthropic = {
  text: (text: string) => anthropicEvents([{ text: [text] }], 'end_turn'),
  begun: (text: string) => anthropicEvents([{ text: [text] }], 'end_turn').slice(0, 4),
  reads: (...paths: readonly string[]) =>
    anthropicEvents(
      paths.map(path => ({ tool: 'read_file', id: `toolu_${path}`, json: [JSON.stringify({ path })] })),
      'tool_use',
    ),
  conversation: 'messages',
  named: true,
  error: (type: string, message: string) => ({ type: 'error', error: { type, message } }),
} as const

const google = {
  text: (text: string) => googleEvents([[{ text }], [{ text: '' }]], 'STOP'),
  begun: (text: string) => googleEvents([[{ text }], [{ text: '' }]], 'STOP').slice(0, 1),
  reads: (...paths: readonly string[]) =>
    googleEvents(
      [paths.map(path => ({ functionCall: { name: 'read_file', args: { path } } })), [{ text: '' }]],
      'STOP',
    ),
  conversation: 'contents',
  named: false,
  error: (status: string, message: string) => ({ error: { code: 0, message, status } }),
} as const

export const wireProviders: readonly WireProvider[] = [
  {
    ...openAI,
    name: 'openai-compatible',
    model: baseURL =>
      createOpenAICompatible({ name: 'acme', baseURL, apiKey, includeUsage: true })('test-model'),
  },
  { ...openAI, name: 'deepseek', model: baseURL => createDeepSeek({ baseURL, apiKey })('deepseek-chat') },
  {
    ...anthropic,
    name: 'anthropic',
    model: baseURL => createAnthropic({ baseURL, apiKey })('claude-sonnet-4-5'),
  },
  {
    ...google,
    name: 'google',
    model: baseURL => createGoogleGenerativeAI({ baseURL, apiKey })('gemini-2.5-flash'),
  },
]

/** Providers of the specification before and after. */
export const otherVersions: readonly WireProvider[] = [
  {
    ...openAI,
    name: 'openai-compatible, V2',
    model: baseURL =>
      createOpenAICompatibleV2({ name: 'acme', baseURL, apiKey, includeUsage: true })('test-model'),
  },
  {
    ...openAI,
    name: 'openai-compatible, V4',
    model: baseURL =>
      createOpenAICompatibleV4({ name: 'acme', baseURL, apiKey, includeUsage: true })('test-model'),
  },
  {
    ...anthropic,
    name: 'anthropic, V2',
    model: baseURL => createAnthropicV2({ baseURL, apiKey })('claude-sonnet-4-5'),
  },
  {
    ...anthropic,
    name: 'anthropic, V4',
    model: baseURL => createAnthropicV4({ baseURL, apiKey })('claude-sonnet-4-5'),
  },
]
