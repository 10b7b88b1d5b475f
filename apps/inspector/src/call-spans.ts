import type { ToolCallBlock } from '@agent-spine/model'
import type { SessionEvent, ToolCallData, ToolResultData } from '@agent-spine/session'
import { statusOfCode, type CallStatus } from './call-status.js'
import { monotoneTimes } from './monotone-times.js'
import { oneLine } from './visible-text.js'

/*
 * Turns a log into one span per call.
 *
 * P1 Every call that an answer asks for has one span, also one that never started; so has every nested call.
 * P2 A span reaches from `tool/call` to `tool/result`. Without `tool/call` it is the moment of its result; without result
 *    it reaches to the end of the log.
 * P3 The log does not say when a body settled. Only where the result itself names its duration is that moment known;
 *    it is never after the commit.
 */

/** One call and what became of it. Times are milliseconds since 1970 and never run backwards. */
export interface CallSpan {
  readonly callId: string
  readonly name: string
  /** The name and the first argument, in a few words. */
  readonly title: string
  readonly arguments: string
  readonly turn: number
  readonly step: number
  /** The call whose body made this one. */
  readonly parentCallId?: string
  readonly status: CallStatus
  /** Of the result's error. */
  readonly code?: string
  /** What the model reads; empty for an open call. */
  readonly text: string
  /** The message that asks for it; for a nested call its `tool/sub-call`. */
  readonly askedSeq: number
  /** Whether the log holds its `tool/call`. */
  readonly isStarted: boolean
  readonly startSeq: number
  readonly dispatchSeq?: number
  readonly resultSeq?: number
  /** The result was added by repair. */
  readonly isCloser: boolean
  /** An outcome that came after the result. */
  readonly lateSeq?: number
  readonly endSeq: number
  readonly start: number
  readonly dispatched?: number
  /** When its body settled, as its result tells. */
  readonly settled?: number
  readonly end: number
}

interface CallFacts {
  readonly callId: string
  readonly name: string
  readonly arguments: string
  readonly turn: number
  readonly step: number
  readonly parentCallId?: string
  readonly askedSeq: number
  startSeq?: number
  dispatchSeq?: number
  lateSeq?: number
  result?: { readonly seq: number; readonly data: ToolResultData; readonly isCloser: boolean }
}

/** The calls of a log, in the order they were asked for, nested ones at the place of their `tool/sub-call`. O(events). */
export function callSpans(
  events: readonly SessionEvent[],
  times: Float64Array = monotoneTimes(events),
): readonly CallSpan[] {
  const facts = new Map<string, CallFacts>()
  for (const event of events) noteEvent(facts, event)
  return [...facts.values()].map(call => toSpan(call, times))
}

function noteEvent(facts: Map<string, CallFacts>, event: SessionEvent): void {
  const { seq } = event
  switch (event.type) {
    case 'assistant/message': {
      const { turn, step, message } = event.data
      for (const block of message.content) {
        if (block.type === 'tool-call') addCall(facts, { ...asked(block), turn, step, askedSeq: seq })
      }
      return
    }
    case 'tool/call': {
      addCall(facts, { ...started(event.data), askedSeq: seq })
      const call = facts.get(event.data.callId)
      if (call) call.startSeq ??= seq
      return
    }
    case 'tool/sub-call': {
      const { parentCallId } = event.data
      addCall(facts, { ...started(event.data), parentCallId, askedSeq: seq, startSeq: seq })
      return
    }
    case 'tool/dispatch': {
      const call = facts.get(event.data.callId)
      if (call) call.dispatchSeq ??= seq
      return
    }
    case 'tool/result':
    case 'tool/sub-result': {
      const call = facts.get(resultCallId(event.data) ?? '')
      if (call) call.result ??= { seq, data: event.data, isCloser: event.closer === true }
      return
    }
    case 'tool/late': {
      const call = facts.get(resultCallId(event.data) ?? '')
      if (call) call.lateSeq ??= seq
      return
    }
    default:
  }
}

function addCall(facts: Map<string, CallFacts>, call: CallFacts): void {
  if (!facts.has(call.callId)) facts.set(call.callId, call)
}

function asked({ id, name, arguments: raw }: ToolCallBlock) {
  return { callId: id, name, arguments: raw }
}

function started({ callId, name, arguments: raw, turn, step }: ToolCallData) {
  return { callId, name, arguments: raw, turn, step }
}

/** The call that a result answers. */
export function resultCallId({ message }: ToolResultData): string | undefined {
  const [block] = message.content
  return block?.type === 'tool-result' ? block.toolCallId : undefined
}

function toSpan(facts: CallFacts, times: Float64Array): CallSpan {
  const { callId, name, turn, step, askedSeq, dispatchSeq, lateSeq, result, parentCallId } = facts
  const lastSeq = Math.max(0, times.length - 1)
  const endSeq = result?.seq ?? lastSeq
  const startSeq = facts.startSeq ?? result?.seq ?? askedSeq
  const at = (seq: number) => times[seq] ?? 0
  const text = result === undefined ? '' : resultText(result.data)
  const end = at(endSeq)
  const dispatched = dispatchSeq === undefined ? undefined : at(dispatchSeq)
  const durationMs = dispatched === undefined ? undefined : statedDuration(result?.data, text)
  const code = result?.data.error?.code
  return {
    callId,
    name,
    title: callTitle(name, facts.arguments),
    arguments: facts.arguments,
    turn,
    step,
    ...(parentCallId !== undefined && { parentCallId }),
    status: statusOf(result?.data),
    ...(code !== undefined && { code }),
    text,
    askedSeq,
    isStarted: facts.startSeq !== undefined,
    startSeq,
    ...(dispatchSeq !== undefined && { dispatchSeq }),
    ...(result !== undefined && { resultSeq: result.seq }),
    isCloser: result?.isCloser === true,
    ...(lateSeq !== undefined && { lateSeq }),
    endSeq,
    start: at(startSeq),
    ...(dispatched !== undefined && { dispatched }),
    ...(dispatched !== undefined &&
      durationMs !== undefined && { settled: Math.min(end, dispatched + durationMs) }),
    end,
  }
}

function statusOf(data: ToolResultData | undefined): CallStatus {
  if (data === undefined) return 'open'
  if (data.error !== undefined) return statusOfCode(data.error.code)
  const [block] = data.message.content
  return block?.type === 'tool-result' && block.isError === true ? 'failed' : 'done'
}

/** The text of a result; other blocks by their kind. */
export function resultText({ message }: ToolResultData): string {
  const [block] = message.content
  if (block?.type !== 'tool-result') return ''
  return block.content.map(part => (part.type === 'text' ? part.text : `[${part.mediaType}]`)).join('')
}

const longestTitle = 60
const longestParsed = 20_000

function callTitle(name: string, raw: string): string {
  const first = firstString(raw)
  return oneLine(first === '' ? name : `${name} ${first}`, longestTitle)
}

function firstString(raw: string): string {
  const value = raw.length > longestParsed ? undefined : parsed(raw)
  const values = typeof value === 'object' && value !== null ? Object.values(value) : [value]
  return values.find(item => typeof item === 'string') ?? ''
}

function statedDuration(data: ToolResultData | undefined, text: string): number | undefined {
  if (data === undefined) return undefined
  const value = durationIn(data.meta) ?? (text.startsWith('{') ? durationIn(parsed(text)) : undefined)
  return value
}

function durationIn(value: unknown): number | undefined {
  if (typeof value !== 'object' || value === null || !('durationMs' in value)) return undefined
  const { durationMs } = value
  return typeof durationMs === 'number' && durationMs >= 0 ? durationMs : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
