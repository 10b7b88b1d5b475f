import { wireArguments, type Message, type ToolCallBlock } from '@agent-spine/model'
import type { Finding } from './finding.js'

/**
 * Every call is answered exactly once, directly after the message that asks, with nothing in between.
 *
 * OpenAI, Chat Completions: "An assistant message with 'tool_calls' must be followed by tool messages responding to each
 * 'tool_call_id'" (error 400; function calling guide, platform.openai.com/docs/guides/function-calling).
 * Anthropic: tool results must immediately follow their tool use in the message history, and come before any text
 * (platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls).
 * Gemini: "the number of function response parts is equal to the number of function call parts of the function call turn",
 * and the response turn comes immediately after the call turn (error 400; ai.google.dev/gemini-api/docs/function-calling).
 *
 * The order of the results is our own rule, since providers match by id: results are committed in the order the model asked,
 * so another order says that the conversation is not the log's.
 */
export function batchFindings(messages: readonly Message[]): Finding[] {
  const findings: Finding[] = []
  const pending = new Set<string>()
  const flush = (seq: number, before: string) => {
    for (const id of pending) {
      findings.push({ code: 'CALL_UNANSWERED', seq, message: `call ${id} has no result before ${before}` })
    }
    pending.clear()
  }
  messages.forEach((message, seq) => {
    const results = resultsOf(message)
    if (results.length === 0) {
      if (pending.size > 0) flush(seq, `message ${message.id}`)
      for (const { id } of callsOf(message)) pending.add(id)
      return
    }
    if (results.length < message.content.length) {
      findings.push({
        code: 'BATCH_SPLIT',
        seq,
        message: `message ${message.id} mixes results with other blocks`,
      })
    }
    for (const id of results) {
      const [next] = pending
      if (!pending.delete(id)) {
        findings.push({ code: 'RESULT_UNEXPECTED', seq, message: `no call ${id} waits for this result` })
      } else if (next !== id) {
        findings.push({
          code: 'RESULT_ORDER',
          seq,
          message: `expected the result of call ${next ?? ''}, found ${id}`,
        })
      }
    }
  })
  flush(messages.length - 1, 'the end')
  return findings
}

/**
 * Call ids are unique in the conversation and of `[A-Za-z0-9_-]{1,64}`.
 *
 * Anthropic: `tool_use.id` must match `^[a-zA-Z0-9_-]+$`, and "tool_use ids must be unique" (error 400, Messages API).
 * OpenAI and Gemini match results to calls by id, so an id that is empty or used twice answers the wrong call. OpenAI's
 * Responses API takes at most 64 characters.
 */
export function callIdFindings(messages: readonly Message[]): Finding[] {
  const seen = new Set<string>()
  return messages.flatMap((message, seq) =>
    callsOf(message).flatMap(({ id }): Finding[] => {
      const fine = /^[A-Za-z0-9_-]{1,64}$/.test(id) && !seen.has(id)
      seen.add(id)
      if (fine) return []
      const text = `expected a new call id of 1 to 64 letters, digits, _ or -, found ${JSON.stringify(id)}`
      return [{ code: 'CALL_ID', seq, message: text }]
    }),
  )
}

/**
 * What goes over the wire as arguments is a JSON object, whatever the model wrote.
 *
 * Anthropic: `tool_use.input` is an object (Messages API reference). Gemini: `functionCall.args` is a Struct
 * (ai.google.dev/api/caching#FunctionCall). OpenAI: `function.arguments` is JSON text, and servers that speak its protocol
 * parse it as an object.
 */
export function argumentFindings(messages: readonly Message[]): Finding[] {
  return messages.flatMap((message, seq) =>
    callsOf(message).flatMap((block): Finding[] => {
      const value: unknown = wireArguments(block)
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return []
      return [
        { code: 'CALL_ARGUMENTS', seq, message: `the arguments of call ${block.id} are no JSON object` },
      ]
    }),
  )
}

function callsOf(message: Message): readonly ToolCallBlock[] {
  return message.role === 'assistant' ? message.content.filter(block => block.type === 'tool-call') : []
}

function resultsOf(message: Message): readonly string[] {
  if (message.role === 'assistant') return []
  return message.content.flatMap(block => (block.type === 'tool-result' ? [block.toolCallId] : []))
}
