/** Why a model call failed. */
export type LlmErrorCode =
  | 'RATE_LIMITED'
  | 'OVERLOADED'
  | 'CONTEXT_OVERFLOW'
  | 'AUTH'
  | 'INVALID_REQUEST'
  | 'TRANSPORT'
  | 'INCOMPLETE_STREAM'
  | 'INVARIANT_VIOLATION'
  | 'ABORTED'
  | 'UNKNOWN'

/** The arguments do not fit the tool's parameters; the body did not run. */
export const INVALID_ARGS = 'INVALID_ARGS'
/** No tool of that name; nothing ran. */
export const UNKNOWN_TOOL = 'UNKNOWN_TOOL'
/** A hook, a guard or the approver refused the call; the body did not run. */
export const DENIED = 'DENIED'
/** The body ran, but its value does not fit the tool's output schema. */
export const INVALID_TOOL_OUTPUT = 'INVALID_TOOL_OUTPUT'
/** The body ran past its time limit and stopped when told to. */
export const TOOL_TIMEOUT = 'TIMEOUT'
/** The body was running when the turn was cancelled, and stopped. */
export const TOOL_ABORTED = 'ABORTED'
/** The turn was cancelled before the body ran. */
export const TOOL_ABORTED_BEFORE_DISPATCH = 'ABORTED_BEFORE_DISPATCH'
/** The body was started and nobody knows what it did. */
export const TOOL_OUTCOME_UNKNOWN = 'TOOL_OUTCOME_UNKNOWN'
/** The turn failed or the process ended before the body ran. */
export const TOOL_NOT_STARTED = 'TOOL_NOT_STARTED'
/** An earlier body that was left running still holds what this call needs; the body did not run. */
export const RESOURCE_BUSY = 'RESOURCE_BUSY'
/** The body ran; a hook that failed afterwards withholds its output. */
export const RESULT_WITHHELD = 'RESULT_WITHHELD'

/** Codes of results that no body produced: what the spine itself knows about a call. */
export type UnrunCode =
  typeof TOOL_ABORTED_BEFORE_DISPATCH | typeof TOOL_NOT_STARTED | typeof TOOL_OUTCOME_UNKNOWN
