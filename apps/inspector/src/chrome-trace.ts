import type { SessionEvent } from '@agent-spine/session'
import { barriers } from './barriers.js'
import { callPhases } from './call-phases.js'
import { callPlaces } from './call-places.js'
import { callSpans, type CallSpan } from './call-spans.js'
import { explainCall } from './explain-call.js'
import { assignLanes } from './lanes.js'
import { monotoneTimes } from './monotone-times.js'
import { visibleText } from './visible-text.js'
import { workSpans, type WorkSpan } from './work-spans.js'

/*
 * Turns a log into the Trace Event Format, which Perfetto and chrome://tracing read.
 *
 * T1 Slices of one lane never overlap: the phases of a call follow each other, and a call starts after the one before it
 *    on its lane has ended.
 * T2 Times are microseconds from the first event and never negative.
 */

/** An event of the format: a complete slice (`X`), an instant (`i`), or a name for a process or lane (`M`). */
export interface TraceEvent {
  readonly name: string
  readonly ph: 'X' | 'i' | 'M'
  readonly pid: number
  readonly tid: number
  readonly ts?: number
  readonly dur?: number
  readonly cat?: string
  readonly s?: 'p'
  readonly args?: Readonly<Record<string, unknown>>
}

export interface ChromeTrace {
  readonly displayTimeUnit: 'ms'
  readonly otherData: Readonly<Record<string, string>>
  readonly traceEvents: readonly TraceEvent[]
}

const pid = 1
const lanesFrom = { turn: 1, step: 2, attempt: 3, unstarted: 99, call: 100, nested: 10_000 } as const

/** The whole session as a trace: turns, steps and model calls on a lane each, and one lane per pool slot. O(events · lanes). */
export function chromeTrace(sessionId: string, events: readonly SessionEvent[]): ChromeTrace {
  const times = monotoneTimes(events)
  const origin = times[0] ?? 0
  const calls = callSpans(events, times)
  const { slots, unstarted, nested } = callPlaces(calls)
  const poolLanes = assignLanes(slots)
  const nestedLanes = assignLanes(nested)
  const micros = (time: number) => Math.round((time - origin) * 1000)
  const slice = (name: string, tid: number, [from, to]: readonly [number, number]) =>
    ({ name, ph: 'X', pid, tid, ts: micros(from), dur: micros(to) - micros(from) }) as const

  const traceEvents: TraceEvent[] = [
    named('process_name', 0, `session ${sessionId}`),
    named('thread_name', lanesFrom.turn, 'turns'),
    named('thread_name', lanesFrom.step, 'steps'),
    named('thread_name', lanesFrom.attempt, 'model calls'),
    ...(unstarted.length === 0 ? [] : [named('thread_name', lanesFrom.unstarted, 'not run')]),
    ...laneNames(lanesFrom.call, poolLanes, 'slot'),
    ...laneNames(lanesFrom.nested, nestedLanes, 'nested calls'),
  ]
  for (const span of workSpans(events, times)) {
    const args = { outcome: visibleText(span.outcome), seq: span.startSeq, ...endArgument(span.isEndKnown) }
    traceEvents.push({
      ...slice(workName(span), lanesFrom[span.kind], [span.start, span.end]),
      cat: span.kind,
      args,
    })
  }
  for (const call of unstarted) addCall(call, lanesFrom.unstarted)
  for (const [index, call] of slots.entries()) addCall(call, lanesFrom.call + (poolLanes[index] ?? 0))
  for (const [index, call] of nested.entries()) addCall(call, lanesFrom.nested + (nestedLanes[index] ?? 0))
  for (const { time, seq, callId, waitedFor } of barriers(calls)) {
    const args = { callId, seq, waitedFor }
    traceEvents.push({
      name: 'barrier',
      ph: 'i',
      s: 'p',
      pid,
      tid: 0,
      ts: micros(time),
      cat: 'barrier',
      args,
    })
  }
  return { displayTimeUnit: 'ms', otherData: { session: sessionId }, traceEvents }

  function addCall(call: CallSpan, tid: number): void {
    for (const { name, from, to, isEndKnown } of callPhases(call)) {
      const label = name === 'body' ? visibleText(call.title) : `${name}: ${visibleText(call.name)}`
      traceEvents.push({
        ...slice(label, tid, [from, to]),
        cat: `call,${call.status}`,
        args: { ...callArguments(call), ...endArgument(isEndKnown) },
      })
    }
  }
}

function callArguments(call: CallSpan): Readonly<Record<string, unknown>> {
  const { callId, status, code, turn, step, startSeq, resultSeq } = call
  return {
    callId,
    status,
    ...(code !== undefined && { code: visibleText(code) }),
    ...(status !== 'done' && { why: explainCall(call) }),
    turn,
    step,
    arguments: visibleText(call.arguments.slice(0, 1000)),
    startSeq,
    ...(resultSeq !== undefined && { resultSeq }),
  }
}

/** A slice has to end somewhere, also one that may have gone on after the last event of its process. */
function endArgument(isEndKnown: boolean): Readonly<Record<string, unknown>> {
  return isEndKnown ? {} : { end: 'unknown: the log knows of it up to here' }
}

function workName({ kind, turn, step, attempt }: WorkSpan): string {
  if (kind === 'turn') return `turn ${turn}`
  return kind === 'step' ? `step ${step ?? 0}` : `attempt ${attempt ?? 0}`
}

function laneNames(from: number, lanes: readonly number[], name: string): readonly TraceEvent[] {
  const count = lanes.reduce((most, lane) => Math.max(most, lane + 1), 0)
  return Array.from({ length: count }, (_, lane) => named('thread_name', from + lane, `${name} ${lane + 1}`))
}

function named(name: string, tid: number, value: string): TraceEvent {
  return { name, ph: 'M', pid, tid, args: { name: value } }
}
