import {
  LlmError,
  wireArguments,
  wireName,
  type AssistantMessage,
  type ImageBlock,
  type Message,
  type ModelRequest,
  type ToolResultBlock,
  type UserMessage,
} from '@agent-spine/model'
import type { Dialect } from './dialect.js'
import { imagePart } from './image.js'
import { isOwn, providerOptionsOf } from './replay.js'
import type { PromptMessage, ToolResultPart } from './sdk-model.js'
import { toolOutput } from './tool-output.js'
import { WireCallIds, type CallIdForm } from './wire-call-ids.js'

type UserPart = Extract<PromptMessage, { role: 'user' }>['content'][number]
type AssistantPart = Extract<PromptMessage, { role: 'assistant' }>['content'][number]
type Conversation = Pick<ModelRequest, 'messages' | 'system' | 'config'>

/**
 * Turns the conversation of a request into a prompt.
 *
 * P1. What a message becomes depends on it and on what is before it alone: a longer conversation begins with the same
 *     bytes. The one exception is a batch of results that is not complete.
 * P2. The results of a batch are one message of role `tool`: Gemini wants as many answers in one turn as it made calls.
 * P3. Every call is sent with an object, a name and an id that all providers accept, and its result with the same.
 * P4. Replay state and reasoning go back to the model that made them, and to no other.
 * P5. No message without content, and no text that is only white space, where the message has anything else.
 */
export function toPrompt({ messages, system, config }: Conversation, dialect: Dialect): PromptMessage[] {
  const prompt: PromptMessage[] = system === undefined ? [] : [{ role: 'system', content: system }]
  const calls = new WireCalls(dialect.callIds)
  const images: UserPart[] = []
  const endBatch = (): void => {
    if (images.length > 0) prompt.push({ role: 'user', content: images.splice(0) })
  }
  for (const message of messages) {
    const results = message.role === 'user' ? resultsOf(message) : []
    if (results.length > 0) {
      const read = results.map(block => resultPart(block, calls, dialect))
      const batch = prompt.at(-1)
      const parts = read.map(({ part }) => part)
      if (batch?.role === 'tool') batch.content.push(...parts)
      else prompt.push({ role: 'tool', content: parts })
      images.push(...read.flatMap(({ following }) => following))
    } else {
      endBatch()
    }
    const content =
      message.role === 'assistant' ? assistantParts(message, config, calls) : userParts(message, dialect)
    if (content.length > 0) prompt.push({ role: message.role, content } as PromptMessage)
  }
  endBatch()
  return prompt
}

/** The calls so far, by our id, as they are on the wire. */
class WireCalls {
  readonly #ids: WireCallIds
  readonly #names = new Map<string, string>()

  constructor(form: CallIdForm) {
    this.#ids = new WireCallIds(form)
  }

  add(id: string, name: string): { toolCallId: string; toolName: string } {
    this.#names.set(id, name)
    return { toolCallId: this.#ids.of(id), toolName: name }
  }

  answered(id: string): { toolCallId: string; toolName: string } {
    const toolName = this.#names.get(id)
    if (toolName !== undefined) return { toolCallId: this.#ids.of(id), toolName }
    throw new LlmError(
      'INVALID_REQUEST',
      `expected a call before its result, found the result of ${JSON.stringify(id)} and no such call: send both or neither`,
    )
  }
}

function assistantParts(
  message: AssistantMessage,
  config: Conversation['config'],
  calls: WireCalls,
): AssistantPart[] {
  const own = isOwn(message, config)
  return message.content.flatMap((block): AssistantPart[] => {
    switch (block.type) {
      case 'text': {
        const state = own ? providerOptionsOf(block) : {}
        if (block.text.trim() === '' && state.providerOptions === undefined) return []
        return [{ type: 'text', text: block.text, ...state }]
      }
      case 'reasoning':
        return own ? [{ type: 'reasoning', text: block.text, ...providerOptionsOf(block) }] : []
      case 'image':
        return [{ type: 'text', text: `[an image (${block.mediaType})]` }]
      case 'tool-call':
        return [
          {
            type: 'tool-call',
            ...calls.add(block.id, wireName(block)),
            input: wireArguments(block),
            ...(own ? providerOptionsOf(block) : {}),
          },
        ]
    }
  })
}

function userParts({ content }: Message, dialect: Dialect): UserPart[] {
  const parts = content.flatMap((block): UserPart[] => {
    if (block.type === 'text') return [{ type: 'text', text: block.text }]
    return block.type === 'image' ? [imagePart(block, dialect)] : []
  })
  const visible = parts.filter(part => part.type !== 'text' || part.text.trim() !== '')
  return visible.length > 0 ? visible : parts
}

function resultsOf({ content }: UserMessage): ToolResultBlock[] {
  return content.filter(block => block.type === 'tool-result')
}

function resultPart(
  block: ToolResultBlock,
  calls: WireCalls,
  dialect: Dialect,
): { readonly part: ToolResultPart; readonly following: readonly UserPart[] } {
  const call = calls.answered(block.toolCallId)
  const { output, left } = toolOutput(block, dialect)
  return {
    part: { type: 'tool-result', ...call, output },
    following: left.flatMap((image: ImageBlock, index) => [
      {
        type: 'text',
        text: `[image ${index + 1} of the result of ${call.toolName}, call ${call.toolCallId}]`,
      },
      imagePart(image, dialect),
    ]),
  }
}
