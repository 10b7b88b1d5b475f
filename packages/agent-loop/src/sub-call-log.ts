import type { EventDraft } from '@agent-spine/session'
import type { SubCallEvent } from '@agent-spine/tools'
import type { Step } from './loop.js'
import { resultData } from './tool-result.js'

/** Logs what became of a call that a tool's body made: off the surface, beside the call it belongs to. */
export function logSubCall({ turn, scope }: Step, event: SubCallEvent): void {
  const { session, emit } = turn.loop
  try {
    session.appendAll([subCallDraft(scope, event)])
  } catch (error) {
    // The truth about a nested call may come when its step is over, and the log takes nothing of a closed step.
    if (event.kind === 'call' || event.late !== true) throw error
    emit({ type: 'error', error })
  }
}

function subCallDraft(scope: Step['scope'], event: SubCallEvent): EventDraft {
  const { call, parentCallId } = event
  if (event.kind === 'call') {
    const skipped = event.skipped === true ? { skipped: true as const } : {}
    return { type: 'tool/sub-call', data: { ...scope, ...call, parentCallId, ...skipped } }
  }
  return { type: 'tool/sub-result', data: { ...resultData(scope, call.callId, event.outcome), parentCallId } }
}
