import type { StepScope, ToolResultData } from '@agent-spine/session'
import { toolResultMessage, type ToolOutcome } from '@agent-spine/tools'

/** What the log holds of a call's outcome. */
export function resultData(scope: StepScope, callId: string, outcome: ToolOutcome): ToolResultData {
  const { error, meta } = outcome
  return {
    ...scope,
    message: toolResultMessage(callId, outcome),
    ...(error !== undefined && { error }),
    ...(meta !== undefined && { meta }),
  }
}
