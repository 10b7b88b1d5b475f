import type { SessionEvent } from '@agent-spine/session'
import { lastWritten } from './last-written.js'
import { monotoneTimes } from './monotone-times.js'

/** A turn, a step or a model call, from its first event to its last. */
export interface WorkSpan {
  readonly kind: 'turn' | 'step' | 'attempt'
  readonly turn: number
  readonly step?: number
  readonly attempt?: number
  /** How it ended, or `open`. */
  readonly outcome: string
  readonly isProblem: boolean
  readonly startSeq: number
  readonly endSeq: number
  readonly start: number
  /** The last the log knows of it: the event of its end, unless that was added by repair, or never. */
  readonly end: number
  readonly isEndKnown: boolean
}

type Scope = Pick<WorkSpan, 'turn' | 'step' | 'attempt'>
type Ended = Pick<WorkSpan, 'outcome' | 'isProblem'>

/** Every turn, step and model call of a log, in the order they started. O(events). */
export function workSpans(
  events: readonly SessionEvent[],
  times: Float64Array = monotoneTimes(events),
): readonly WorkSpan[] {
  const spans: WorkSpan[] = []
  const ends = lastWritten(events)
  const open = new Map<WorkSpan['kind'], { readonly index: number; readonly scope: Scope }>()

  function begin(kind: WorkSpan['kind'], startSeq: number, scope: Scope): void {
    open.set(kind, { index: spans.length, scope })
    const start = times[startSeq] ?? 0
    const endSeq = ends[startSeq] ?? startSeq
    const unended = {
      outcome: 'open',
      isProblem: true,
      endSeq,
      end: times[endSeq] ?? start,
      isEndKnown: false,
    }
    spans.push({ kind, ...scope, startSeq, start, ...unended })
  }

  function end(kind: WorkSpan['kind'], { seq: endSeq, closer }: SessionEvent, ended: Ended): void {
    const index = open.get(kind)?.index
    const span = index === undefined ? undefined : spans[index]
    if (index === undefined || span === undefined) return
    open.delete(kind)
    const timing = closer === true ? {} : { end: times[endSeq] ?? span.start, isEndKnown: true }
    spans[index] = { ...span, ...ended, endSeq, ...timing }
  }

  for (const event of events) {
    const { seq } = event
    switch (event.type) {
      case 'turn/start':
        begin('turn', seq, { turn: event.data.turn })
        break
      case 'turn/end': {
        const { kind } = event.data.reason
        end('turn', event, { outcome: turnOutcome(event), isProblem: kind !== 'completed' })
        break
      }
      case 'step/start':
        begin('step', seq, { turn: event.data.turn, step: event.data.step })
        break
      case 'step/end':
        end('step', event, { outcome: 'ended', isProblem: false })
        break
      case 'attempt/start': {
        const { turn, step, attempt } = event.data
        begin('attempt', seq, { turn, step, attempt })
        break
      }
      case 'attempt/end': {
        const { failure } = event.data
        end('attempt', event, {
          outcome: failure === undefined ? 'answered' : `${failure.code}: ${failure.message}`,
          isProblem: failure !== undefined,
        })
        break
      }
      default:
    }
  }
  return spans
}

/** How a turn ended, and by whom or what. */
export function turnOutcome({ data: { reason } }: SessionEvent<'turn/end'>): string {
  if (reason.kind === 'error') return `error ${reason.failure.code}: ${reason.failure.message}`
  if (reason.kind !== 'aborted') return reason.kind
  const { cause } = reason
  return cause.kind === 'hook' ? `aborted by a hook: ${cause.reason}` : `aborted by ${cause.kind}`
}
