import type { ToolResultData } from './event.js'
import {
  anything,
  count,
  filledList,
  flag,
  list,
  literal,
  matching,
  name,
  number,
  object,
  record,
  refine,
  tagged,
  text,
  type Shape,
} from './shape.js'

/** The shapes of the model vocabulary, as the log holds it. */

const replay = { replay: anything }

const textBlock = record({ text }, replay)
const imageBlock = record({
  mediaType: name,
  data: tagged('kind', { base64: record({ base64: text }), url: record({ url: text }) }),
})
const resultBlock = record(
  { toolCallId: name, content: list(tagged('type', { text: textBlock, image: imageBlock })) },
  { isError: flag },
)
const callBlock = record(
  { id: matching(/^[A-Za-z0-9_-]{1,64}$/), name: text, arguments: text },
  { providerId: text, ...replay },
)

/** Any user message but a tool result, which only `tool/result` may commit. */
export const inputMessage: Shape = record({
  id: name,
  role: literal('user'),
  source: tagged('kind', { user: object, plugin: record({ name }), tool: record({ callId: name }) }),
  content: filledList(tagged('type', { text: textBlock, image: imageBlock })),
})

/** A user message with one `tool-result` block, whose source is the call it answers. */
export const resultMessage: Shape = refine(
  record({
    id: name,
    role: literal('user'),
    source: tagged('kind', { tool: record({ callId: name }) }),
    content: filledList(tagged('type', { 'tool-result': resultBlock })),
  }),
  value => {
    const { content, source } = value as unknown as ToolResultData['message']
    if (content.length > 1) return { path: '.content', message: 'must hold one tool-result block, not more' }
    const block = content[0]
    if (block?.type === 'tool-result' && source.kind === 'tool' && block.toolCallId === source.callId) {
      return undefined
    }
    return { path: '.content[0].toolCallId', message: 'must be the callId of the source' }
  },
)

export const assistantMessage: Shape = record({
  id: name,
  role: literal('assistant'),
  source: tagged('kind', { model: record({ provider: text, model: text }) }),
  content: list(
    tagged('type', { text: textBlock, reasoning: textBlock, image: imageBlock, 'tool-call': callBlock }),
  ),
})

export const failure: Shape = record(
  { message: text, code: name },
  { status: number, retryAfterMs: number, requestId: text },
)

export const usage: Shape = record(
  { inputTokens: number, outputTokens: number },
  { cacheReadTokens: number, cacheWriteTokens: number, reasoningTokens: number },
)

const finishReason = tagged('kind', {
  stop: object,
  'tool-calls': object,
  'max-tokens': object,
  error: record({ failure }),
  aborted: record({ failure }),
})

const delta = record({ index: count, text })

export const chunk: Shape = tagged('type', {
  'text-delta': delta,
  'reasoning-delta': delta,
  'tool-call-delta': record({ index: count, text }, { id: text, name: text }),
  'block-start': record({
    index: count,
    block: tagged('type', {
      text: object,
      reasoning: object,
      'tool-call': record({}, { id: text, name: text }),
    }),
  }),
  'block-end': record({ index: count }, replay),
  usage: record({ usage }),
  finish: record({ reason: finishReason }),
})

/** The sampling scalars are checked by type only: their ranges are the provider's business. */
export const requestHeader: Shape = record(
  {
    config: record(
      { provider: text, model: text },
      {
        temperature: number,
        topP: number,
        topK: number,
        presencePenalty: number,
        frequencyPenalty: number,
        seed: number,
        maxOutputTokens: number,
        stopSequences: list(text),
        providerOptions: object,
      },
    ),
  },
  { system: text, tools: list(record({ name, description: text, parameters: object })) },
)
