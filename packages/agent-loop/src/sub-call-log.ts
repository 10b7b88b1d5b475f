import type { EventDraft, StepScope } from '@agent-spine/session'
import type { SubCallEvent } from '@agent-spine/tools'
import { resultData } from './tool-result.js'

/** What the log holds of a call that a tool's body made: off the surface, beside the call it belongs to. */
export function subCallDrafts(event: SubCallEvent, scope: StepScope): EventDraft[] {
  const { call, parentCallId } = event
  if (event.kind === 'call') {
    const skipped = event.skipped === true ? { skipped: true as const } : {}
    return [{ type: 'tool/sub-call', data: { ...scope, ...call, parentCallId, ...skipped } }]
  }
  const data = { ...resultData(scope, call.callId, event.outcome), parentCallId }
  return [{ type: 'tool/sub-result', data }]
}
