import type { SessionEvent } from '@agent-spine/session'
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
  readonly end: number
}

type Scope = Pick<WorkSpan, 'turn' | 'step' | 'attempt'>
type Ended = Pick<WorkSpan, 'outcome' | 'isProblem'>

/** Every turn, step and model call of a log, in the order they started. O(events). */
export function workSpans(
  events: readonly SessionEvent[],
  times: Float64Array = monotoneTimes(events),
): readonly WorkSpan[] {
  const spans: WorkSpan[] = []
  const open = new Map<WorkSpan['kind'], { readonly index: number; readonly scope: Scope }>()

  function begin(kind: WorkSpan['kind'], startSeq: number, scope: Scope): void {
    open.set(kind, { index: spans.length, scope })
    const start = times[startSeq] ?? 0
    const lastSeq = events.length - 1
    const unended = { outcome: 'open', isProblem: true, endSeq: lastSeq, end: times[lastSeq] ?? start }
    spans.push({ kind, ...scope, startSeq, start, ...unended })
  }

  function end(kind: WorkSpan['kind'], endSeq: number, ended: Ended): void {
    const index = open.get(kind)?.index
    const span = index === undefined ? undefined : spans[index]
    if (index === undefined || span === undefined) return
    open.delete(kind)
    spans[index] = { ...span, ...ended, endSeq, end: times[endSeq] ?? span.start }
  }

  for (const event of events) {
    const { seq } = event
    switch (event.type) {
      case 'turn/start':
        begin('turn', seq, { turn: event.data.turn })
        break
      case 'turn/end': {
        const { kind } = event.data.reason
        end('turn', seq, { outcome: turnOutcome(event), isProblem: kind !== 'completed' })
        break
      }
      case 'step/start':
        begin('step', seq, { turn: event.data.turn, step: event.data.step })
        break
      case 'step/end':
        end('step', seq, { outcome: 'ended', isProblem: false })
        break
      case 'attempt/start': {
        const { turn, step, attempt } = event.data
        begin('attempt', seq, { turn, step, attempt })
        break
      }
      case 'attempt/end': {
        const { failure } = event.data
        end('attempt', seq, {
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
