// Reads the conversation a request holds: what was asked, and what became of every call made for it. It is the only memory
// the scripted model has, so a resumed session is read like any other.
import {
  TOOL_ABORTED_BEFORE_DISPATCH,
  TOOL_NOT_STARTED,
  TOOL_OUTCOME_UNKNOWN,
  unrunText,
  type ContentBlock,
  type Message,
} from '@agent-spine/model'
import { type JsonObject } from '@agent-spine/schema'
import { parseArguments } from '@agent-spine/tools'

/** One call made for the task, and what the conversation says about it. */
export interface CallRecord {
  readonly name: string
  readonly args: JsonObject
  /** `not-run`: it had no effect. `unknown`: nobody knows whether it had. */
  readonly state: 'succeeded' | 'failed' | 'not-run' | 'unknown'
  readonly text: string
  /** Made since the person's last message: what failed before that may be tried again. */
  readonly current: boolean
}

/** What the model is asked to do, and what was done for it so far. */
export interface Task {
  readonly prompt: string
  readonly calls: readonly CallRecord[]
}

const continuation = /^(?:please\s+)?(?:continue|go on|resume|carry on)\b/i

/** The last task in the conversation. A message that only says "continue" goes on with the task before it. */
export function readTask(messages: readonly Message[]): Task | undefined {
  const prompts = messages.flatMap((message, index) =>
    isPrompt(message) ? [{ index, text: textOf(message.content) }] : [],
  )
  const task = prompts.findLast(({ text }) => !continuation.test(text)) ?? prompts.at(-1)
  const latest = prompts.at(-1)
  if (task === undefined || latest === undefined) return undefined
  return { prompt: task.text, calls: readCalls(messages, task.index, latest.index) }
}

function readCalls(messages: readonly Message[], from: number, currentFrom: number): CallRecord[] {
  const results = new Map<string, { readonly text: string; readonly isError: boolean }>()
  for (const { content } of messages) {
    for (const block of content) {
      if (block.type !== 'tool-result') continue
      results.set(block.toolCallId, { text: textOf(block.content), isError: block.isError === true })
    }
  }
  const calls: CallRecord[] = []
  for (const [index, { content }] of messages.entries()) {
    if (index < from) continue
    for (const block of content) {
      const result = block.type === 'tool-call' ? results.get(block.id) : undefined
      if (block.type !== 'tool-call' || result === undefined) continue
      calls.push({
        name: block.name,
        args: objectArguments(block.arguments),
        state: result.isError ? failureState(result.text) : 'succeeded',
        text: result.text,
        current: index > currentFrom,
      })
    }
  }
  return calls
}

function failureState(text: string): CallRecord['state'] {
  if (text === unrunText(TOOL_OUTCOME_UNKNOWN)) return 'unknown'
  if (text === unrunText(TOOL_NOT_STARTED) || text === unrunText(TOOL_ABORTED_BEFORE_DISPATCH))
    return 'not-run'
  return 'failed'
}

function isPrompt(message: Message): boolean {
  return message.role === 'user' && message.source.kind === 'user'
}

function objectArguments(raw: string): JsonObject {
  const value = parseArguments(raw)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
}

function textOf(content: readonly ContentBlock[]): string {
  return content.map(block => (block.type === 'text' ? block.text : '')).join('')
}
