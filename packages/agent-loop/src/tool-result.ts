import type { CallJournal } from '@agent-spine/scheduler'
import type { StepScope, ToolResultData } from '@agent-spine/session'
import {
  toolResultMessage,
  type ToolCall,
  type ToolExecution,
  type ToolOutcome,
  type ToolSettled,
} from '@agent-spine/tools'

/** Where a batch of tool calls is written down. */
export type ToolJournal = CallJournal<ToolCall, ToolExecution, ToolSettled, ToolOutcome>

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
