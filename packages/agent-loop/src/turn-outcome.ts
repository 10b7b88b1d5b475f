import type { AssistantMessage, TokenUsage } from '@agent-spine/model'
import type { SessionEvent, ToolResultData, TurnEndReason } from '@agent-spine/session'

/** One call of a turn and how it was answered. */
export interface TurnCall {
  readonly callId: string
  readonly name: string
  readonly isError?: true
  readonly error?: { readonly name: string; readonly code?: string }
}

/** How a turn ended, and what it came to. */
export interface TurnOutcome {
  /** Missing where no turn took the input: it was cancelled before, or the log could not be written. */
  readonly turn?: number
  readonly reason: TurnEndReason
  /** The text of the last answer, which may be partial. */
  readonly text: string
  /** Summed over every attempt of the turn. */
  readonly usage: TokenUsage
  /** Every answered call, in the order of its results. */
  readonly calls: readonly TurnCall[]
}

const noUsage: TokenUsage = { inputTokens: 0, outputTokens: 0 }

/** The outcome of an input that no turn took. */
export function withoutTurn(reason: TurnEndReason): TurnOutcome {
  return { reason, text: '', usage: noUsage, calls: [] }
}

/** The outcome that the log tells of the turn which the event at `endSeq` ends. O(events of the turn). */
export function turnOutcome(events: readonly SessionEvent[], endSeq: number): TurnOutcome {
  const end = events[endSeq]
  if (end?.type !== 'turn/end') return withoutTurn({ kind: 'interrupted' })
  const { turn, reason } = end.data
  let text: string | undefined
  let usage = noUsage
  const names = new Map<string, string>()
  const results: ToolResultData[] = []
  for (let seq = endSeq - 1; seq >= 0; seq--) {
    const event = events[seq]
    if (event?.type === 'turn/start') break
    if (event?.type === 'assistant/message') text ??= textOf(event.data.message)
    if (event?.type === 'attempt/end' && event.data.usage !== undefined) usage = sum(usage, event.data.usage)
    if (event?.type === 'tool/call') names.set(event.data.callId, event.data.name)
    if (event?.type === 'tool/result' && event.data.turn === turn) results.push(event.data)
  }
  const calls = results.reverse().map(result => turnCall(result, names))
  return { turn, reason, text: text ?? '', usage, calls }
}

function textOf({ content }: AssistantMessage): string {
  return content.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('')
}

function turnCall({ message, error }: ToolResultData, names: ReadonlyMap<string, string>): TurnCall {
  const [block] = message.content
  const callId = block?.type === 'tool-result' ? block.toolCallId : ''
  return {
    callId,
    name: names.get(callId) ?? '',
    ...(block?.type === 'tool-result' && block.isError && { isError: true }),
    ...(error !== undefined && { error }),
  }
}

function sum(left: TokenUsage, right: TokenUsage): TokenUsage {
  const total: { -readonly [Name in keyof TokenUsage]: TokenUsage[Name] } = { ...left }
  total.inputTokens += right.inputTokens
  total.outputTokens += right.outputTokens
  for (const name of ['cacheReadTokens', 'cacheWriteTokens', 'reasoningTokens'] as const) {
    if (right[name] !== undefined) total[name] = (left[name] ?? 0) + right[name]
  }
  return total
}
