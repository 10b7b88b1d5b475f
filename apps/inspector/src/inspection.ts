import type { SessionEvent } from '@agent-spine/session'
import { barriers, type Barrier } from './barriers.js'
import { callPlaces } from './call-places.js'
import { callSpans, type CallSpan } from './call-spans.js'
import { isProblem } from './call-status.js'
import { surfaceEvents } from './conversation-at.js'
import { assignLanes } from './lanes.js'
import { monotoneTimes } from './monotone-times.js'
import { timeAxis, type TimeAxis } from './time-axis.js'
import { resultCallId } from './tool-result.js'
import { workSpans, type WorkSpan } from './work-spans.js'

/** A row of the waterfall. What it holds is in order and does not overlap. */
export interface Lane {
  readonly label: string
  readonly hint: string
  readonly spans: readonly (CallSpan | WorkSpan)[]
}

/** Everything a page shows of a log, but for the checks. */
export interface Inspection {
  readonly events: readonly SessionEvent[]
  readonly times: Float64Array
  readonly calls: readonly CallSpan[]
  readonly callById: ReadonlyMap<string, CallSpan>
  readonly work: readonly WorkSpan[]
  readonly lanes: readonly Lane[]
  readonly barriers: readonly Barrier[]
  readonly axis: TimeAxis
  readonly surface: readonly SessionEvent[]
  /** Calls that a person should look at, in log order. */
  readonly problems: readonly CallSpan[]
}

/** Reads a log for the page. O(events · lanes). */
export function inspect(events: readonly SessionEvent[]): Inspection {
  const times = monotoneTimes(events)
  const calls = callSpans(events, times)
  const work = workSpans(events, times)
  const { slots, unstarted, nested } = callPlaces(calls)
  return {
    events,
    times,
    calls,
    callById: new Map(calls.map(call => [call.callId, call])),
    work,
    lanes: [
      ...(['turn', 'step', 'attempt'] as const).map(kind => ({
        label: { turn: 'turns', step: 'steps', attempt: 'model' }[kind],
        hint: { turn: 'turns', step: 'steps', attempt: 'model calls' }[kind],
        spans: work.filter(span => span.kind === kind),
      })),
      ...callLanes(slots, 'slot', 'calls: as many lanes as calls were open at once'),
      ...(unstarted.length === 0
        ? []
        : [
            {
              label: 'not run',
              hint: 'calls that never started and took no slot',
              spans: inOrder(unstarted),
            },
          ]),
      ...callLanes(nested, 'nested', 'calls that bodies made'),
    ],
    barriers: barriers(calls),
    axis: timeAxis(events, times),
    surface: surfaceEvents(events),
    problems: calls.filter(({ status }) => isProblem(status)),
  }
}

/** The call that an event is about. */
export function callOfEvent(event: SessionEvent): string | undefined {
  switch (event.type) {
    case 'tool/call':
    case 'tool/dispatch':
    case 'tool/sub-call':
      return event.data.callId
    case 'tool/result':
    case 'tool/late':
    case 'tool/sub-result':
      return resultCallId(event.data)
    default:
      return undefined
  }
}

function callLanes(calls: readonly CallSpan[], label: string, hint: string): readonly Lane[] {
  const lanes: CallSpan[][] = []
  const numbers = assignLanes(calls)
  for (const [index, call] of calls.entries()) (lanes[numbers[index] ?? 0] ??= []).push(call)
  return lanes.map((spans, index) => ({
    label: `${label} ${index + 1}`,
    hint,
    spans: inOrder(spans),
  }))
}

function inOrder(calls: readonly CallSpan[]): readonly CallSpan[] {
  return calls.toSorted((one, other) => one.startSeq - other.startSeq)
}
