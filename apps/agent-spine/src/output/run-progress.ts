import { type RunEvent } from './run-event.js'
import { callTitle } from './call-text.js'

/** Where a call is on its way. `waiting`: its body ended, and an earlier call must commit first. */
export type CallStage = 'preparing' | 'running' | 'waiting'

export interface ProgressCall {
  readonly title: string
  readonly stage: CallStage
  /** When its body started, or it was asked for. */
  readonly since: number
}

/** What a run is doing right now. */
export interface RunProgress {
  /** The calls without a result, in the order they were asked for. */
  readonly calls: ReadonlyMap<string, ProgressCall>
  /** The answer that is being streamed. */
  readonly streaming: string
  /** How many inputs wait for their turn. */
  readonly queued: number
}

export const idle: RunProgress = { calls: new Map(), streaming: '', queued: 0 }

/** What the run is doing after one more event. */
export function advance(progress: RunProgress, event: RunEvent): RunProgress {
  switch (event.type) {
    case 'text':
      return { ...progress, streaming: progress.streaming + event.text }
    case 'answer':
    case 'retry':
      return { ...progress, streaming: '' }
    case 'call':
      return withCall(progress, event.callId, {
        title: callTitle(event.name, event.arguments),
        stage: 'preparing',
        since: event.time,
      })
    case 'call-dispatched':
      return moved(progress, event, 'running')
    case 'call-settled':
      return moved(progress, event, 'waiting')
    case 'call-result':
      return withCall(progress, event.callId, undefined)
    case 'queue':
      return { ...progress, queued: progress.queued + event.added - event.removed }
    case 'turn-end':
      return { ...idle, queued: progress.queued }
    default:
      return progress
  }
}

function moved(
  progress: RunProgress,
  { callId, time }: { readonly callId: string; readonly time: number },
  stage: CallStage,
): RunProgress {
  const call = progress.calls.get(callId)
  if (call === undefined) return progress
  return withCall(progress, callId, { ...call, stage, since: stage === 'running' ? time : call.since })
}

function withCall(progress: RunProgress, callId: string, call: ProgressCall | undefined): RunProgress {
  const calls = new Map(progress.calls)
  if (call === undefined) calls.delete(callId)
  else calls.set(callId, call)
  return { ...progress, calls }
}
