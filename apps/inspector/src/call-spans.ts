import type { ToolCallBlock } from '@agent-spine/model'
import type { SessionEvent, ToolCallData, ToolResultData } from '@agent-spine/session'
import { statusOfCode, type CallStatus } from './call-status.js'
import { lastWritten } from './last-written.js'
import { monotoneTimes } from './monotone-times.js'
import { repairOutlooks, type RepairOutlook } from './repair-outlook.js'
import { parsedJson, resultCallId, resultText, statedDuration } from './tool-result.js'
import { oneLine } from './visible-text.js'

/*
 * Turns a log into one span per call.
 *
 * P1 Every call that an answer asks for has one span, also one that never started; so has every nested call.
 * P2 A span reaches from `tool/call` to the `tool/result` that its own process wrote. Where that wrote none, the span ends
 *    with the last event the process is known to have written, however much later repair closed the call.
 * P3 Without `tool/call` nothing of it ran: the span is the moment of its end.
 * P4 The log does not say when a body settled. That moment is known only where the result names its duration, or a
 *    `tool/late` tells that the body had ended before there was a result; it is never after the end of the span.
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
  /** An outcome that came without its turn: after the result, or where there was none yet. */
  readonly lateSeq?: number
  /** Of an open call that the model asked for. */
  readonly ifRepaired?: RepairOutlook
  readonly endSeq: number
  readonly start: number
  readonly dispatched?: number
  /** When its body settled, as its result or its late outcome tells. */
  readonly settled?: number
  /** Whether the log tells that it did not run on after its end. */
  readonly isEndKnown: boolean
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
  const calls = [...facts.values()]
  const ends = lastWritten(events)
  const outlooks = calls.some(({ result }) => result === undefined) ? repairOutlooks(events) : undefined
  return calls.map(call => toSpan(call, { times, ends, outlook: outlooks?.get(call.callId) }))
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

interface LogFacts {
  readonly times: Float64Array
  readonly ends: Uint32Array
  readonly outlook: RepairOutlook | undefined
}

function toSpan(facts: CallFacts, { times, ends, outlook }: LogFacts): CallSpan {
  const { callId, name, turn, step, askedSeq, dispatchSeq, lateSeq, result, parentCallId } = facts
  const isStarted = facts.startSeq !== undefined
  const isCloser = result?.isCloser === true
  const lastSeq = ends[facts.startSeq ?? askedSeq] ?? askedSeq
  const endSeq = result === undefined || isCloser ? lastSeq : result.seq
  const startSeq = facts.startSeq ?? endSeq
  const at = (seq: number) => times[seq] ?? 0
  const end = at(endSeq)
  const dispatched = dispatchSeq === undefined ? undefined : at(dispatchSeq)
  const settled = dispatched === undefined ? undefined : settledAt(facts, { dispatched, end, at })
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
    text: result === undefined ? '' : resultText(result.data),
    askedSeq,
    isStarted,
    startSeq,
    ...(dispatchSeq !== undefined && { dispatchSeq }),
    ...(result !== undefined && { resultSeq: result.seq }),
    isCloser,
    ...(lateSeq !== undefined && { lateSeq }),
    ...(result === undefined && outlook !== undefined && { ifRepaired: outlook }),
    endSeq,
    start: at(startSeq),
    ...(dispatched !== undefined && { dispatched }),
    ...(settled !== undefined && { settled }),
    isEndKnown: !isStarted || settled !== undefined || (result !== undefined && !isCloser),
    end,
  }
}

function settledAt(
  { lateSeq, result }: CallFacts,
  known: { readonly dispatched: number; readonly end: number; readonly at: (seq: number) => number },
): number | undefined {
  const { dispatched, end, at } = known
  const durationMs = result === undefined ? undefined : statedDuration(result.data)
  const moments = [
    ...(durationMs === undefined ? [] : [dispatched + durationMs]),
    ...(lateSeq !== undefined && lateSeq < (result?.seq ?? Infinity) ? [at(lateSeq)] : []),
  ]
  return moments.length === 0 ? undefined : Math.min(end, ...moments)
}

function statusOf(data: ToolResultData | undefined): CallStatus {
  if (data === undefined) return 'open'
  if (data.error !== undefined) return statusOfCode(data.error.code)
  const [block] = data.message.content
  return block?.type === 'tool-result' && block.isError === true ? 'failed' : 'done'
}

const longestTitle = 60
const longestParsed = 20_000

function callTitle(name: string, raw: string): string {
  const first = firstString(raw)
  return oneLine(first === '' ? name : `${name} ${first}`, longestTitle)
}

function firstString(raw: string): string {
  const value = raw.length > longestParsed ? undefined : parsedJson(raw)
  const values = typeof value === 'object' && value !== null ? Object.values(value) : [value]
  return values.find(item => typeof item === 'string') ?? ''
}
