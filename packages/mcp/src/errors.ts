import { TOOL_OUTCOME_UNKNOWN, unrunText } from '@agent-spine/model'
import { HarnessError } from '@agent-spine/schema'

/** The server could not be started, did not answer, or could not say which tools it has. */
export const MCP_CONNECT_FAILED = 'MCP_CONNECT_FAILED'
/** The connection was gone before the call; nothing was sent. */
export const MCP_SERVER_GONE = 'MCP_SERVER_GONE'
/** The tool answered that it failed. */
export const MCP_TOOL_ERROR = 'MCP_TOOL_ERROR'
/** The server answered a request with a protocol error in place of a result. */
export const MCP_REQUEST_FAILED = 'MCP_REQUEST_FAILED'
/** The server answered with something that is no result of a tool. */
export const MCP_INVALID_RESULT = 'MCP_INVALID_RESULT'

/** For a call that was sent and never answered. */
export function outcomeUnknown(what: string, cause?: unknown): HarnessError {
  return new HarnessError(
    TOOL_OUTCOME_UNKNOWN,
    `${what}. ${unrunText(TOOL_OUTCOME_UNKNOWN)}`,
    cause === undefined ? {} : { cause },
  )
}

/** For a request that was not sent. */
export function serverGone(serverName: string): HarnessError {
  return new HarnessError(
    MCP_SERVER_GONE,
    `The MCP server "${serverName}" is gone: its connection was closed before this request, and nothing was sent. ` +
      'Connect to it again.',
  )
}

/** What a thrown value says, on one line of reasonable length. */
export function reasonText(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown)
  return text.trim().slice(0, 500) || 'no reason given'
}
