import type { UserMessage } from './message.js'
import { resultMessage } from './result-message.js'
import {
  TOOL_ABORTED_BEFORE_DISPATCH,
  TOOL_NOT_STARTED,
  TOOL_OUTCOME_UNKNOWN,
  type UnrunCode,
} from './codes.js'

const texts: Readonly<Record<UnrunCode, string>> = {
  [TOOL_ABORTED_BEFORE_DISPATCH]:
    'This call was cancelled before it ran. It had no effect. Call it again if it is still needed.',
  [TOOL_NOT_STARTED]:
    'This call was never started: the turn failed or the process ended first. It had no effect. Call it again if it is still needed.',
  [TOOL_OUTCOME_UNKNOWN]:
    'This call was started, and its outcome is not known: it may have completed, in part or in full, or may still complete. ' +
    'Read-only or idempotent work may be repeated. Anything else must first be verified, or asked about; do not repeat it blindly.',
}

/** The text the model reads for a call whose result the spine itself has to state. */
export function unrunText(code: UnrunCode): string {
  return texts[code]
}

/** The `error` of a `tool/result` event for such a call. */
export function unrunError(code: UnrunCode): { readonly name: string; readonly code: UnrunCode } {
  return { name: code === TOOL_ABORTED_BEFORE_DISPATCH ? 'AbortError' : 'ToolError', code }
}

/** The complete result message for such a call. */
export function unrunResult(callId: string, code: UnrunCode): UserMessage {
  return resultMessage(callId, { content: [{ type: 'text', text: texts[code] }], isError: true })
}
