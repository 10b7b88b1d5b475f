/** The command's real providers, as a server on this machine speaks for them. */
import { anthropicEvents } from '../../../packages/ai-sdk/test/anthropic-wire.js'
import { googleEvents } from '../../../packages/ai-sdk/test/google-wire.js'
import { openAICall, openAIEvents, openAIUsage } from '../../../packages/ai-sdk/test/openai-wire.js'

export interface WireModel {
  /** As `--model` takes it. */
  readonly name: string
  readonly variable: string
  /** Where a request has the key. */
  readonly header: string
  /** An answer of text alone. */
  readonly text: (text: string) => readonly string[]
  /** The beginning of one. */
  readonly begun: (text: string) => readonly string[]
  /** Text, and one call. */
  readonly calls: (text: string, name: string, args: Readonly<Record<string, unknown>>) => readonly string[]
  readonly error: (message: string) => unknown
}

const chat = {
  header: 'authorization',
  text: (text: string) =>
    openAIEvents([{ delta: { role: 'assistant', content: text } }, { finish: 'stop', usage: openAIUsage }]),
  begun: (text: string) => openAIEvents([{ delta: { role: 'assistant', content: text } }]).slice(0, 1),
  calls: (text: string, name: string, args: unknown) =>
    openAIEvents([
      { delta: { role: 'assistant', content: text } },
      openAICall(0, JSON.stringify(args), { id: 'call_1', name }),
      { finish: 'tool_calls', usage: openAIUsage },
    ]),
  error: (message: string) => ({ error: { message, type: 'x', code: null, param: null } }),
} as const

export const openai: WireModel = { ...chat, name: 'openai:gpt-5-mini', variable: 'OPENAI_API_KEY' }

export const compatible: WireModel = {
  ...chat,
  name: 'openai-compatible:vendor/model-1',
  variable: 'OPENAI_COMPATIBLE_API_KEY',
}

/** One of each provider. */
export const wireModels: readonly WireModel[] = [
  openai,
  compatible,
  { ...chat, name: 'deepseek:deepseek-chat', variable: 'DEEPSEEK_API_KEY' },
  {
    name: 'anthropic:claude-sonnet-4-5',
    variable: 'ANTHROPIC_API_KEY',
    header: 'x-api-key',
    text: text => anthropicEvents([{ text: [text] }], 'end_turn'),
    begun: text => anthropicEvents([{ text: [text] }], 'end_turn').slice(0, 4),
    calls: (text, name, args) =>
      anthropicEvents(
        [{ text: [text] }, { tool: name, id: 'toolu_1', json: [JSON.stringify(args)] }],
        'tool_use',
      ),
    error: message => ({ type: 'error', error: { type: 'x', message } }),
  },
  {
    name: 'google:gemini-2.5-flash',
    variable: 'GEMINI_API_KEY',
    header: 'x-goog-api-key',
    text: text => googleEvents([[{ text }], [{ text: '' }]], 'STOP'),
    begun: text => googleEvents([[{ text }], [{ text: '' }]], 'STOP').slice(0, 1),
    calls: (text, name, args) => googleEvents([[{ text }], [{ functionCall: { name, args } }]], 'STOP'),
    error: message => ({ error: { code: 0, message, status: 'X' } }),
  },
]
