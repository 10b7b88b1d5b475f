import { McpError } from '@modelcontextprotocol/sdk/types.js'
import { HarnessError, type JsonObject } from '@agent-spine/schema'
import { type ToolContext } from '@agent-spine/tools'
import { MCP_REQUEST_FAILED, outcomeUnknown, reasonText, serverGone } from './errors.js'
import { type Line } from './line.js'
import { type McpToolValue, readCallResult } from './read-result.js'

/*
 * Turns a checked call into a request, and what comes of it into a value or a truthful error.
 *
 * C1. A call that was not sent says so: after an abort, and when the connection is gone.
 * C2. A call that was sent and not answered has an unknown outcome, whether the server died, the transport failed, the
 *     time was up or the call was cancelled: MCP has no answer to a cancellation, so nobody knows that the work stopped.
 * C3. A result that arrived outranks every abort.
 */

/** One call of a server's tool. */
export interface ServerCall {
  /** The tool's name as the server knows it. */
  readonly mcpName: string
  readonly args: JsonObject
  readonly context: Pick<ToolContext, 'signal' | 'progress'>
}

/** @throws HarnessError with the codes of the table in the README; before sending, the signal's reason. */
export async function callServer(line: Line, { mcpName, args, context }: ServerCall): Promise<McpToolValue> {
  const { signal, progress } = context
  signal.throwIfAborted()
  if (!line.isOpen) throw serverGone(line.serverName)
  const params = { name: mcpName, arguments: args }
  const result = await line
    .request('tools/call', params, { signal, onProgress: update => progress(update) })
    .catch((error: unknown) => {
      throw callFailure(line, signal, error)
    })
  return readCallResult(line.serverName, result)
}

function callFailure(line: Line, signal: AbortSignal, error: unknown): HarnessError {
  const server = `the MCP server "${line.serverName}"`
  if (signal.aborted) {
    return outcomeUnknown(
      `This call was told to stop (${reasonText(signal.reason)}) while ${server} had it; the server was asked to cancel, ` +
        'and does not say whether it did',
    )
  }
  if (!line.isOpen) return outcomeUnknown(`The connection to ${server} ended while this call ran`)
  if (error instanceof McpError) {
    return new HarnessError(
      MCP_REQUEST_FAILED,
      `The MCP server "${line.serverName}" answered this call with an error in place of a result: ${reasonText(error)}`,
    )
  }
  return outcomeUnknown(`This call could not be sent to ${server}, or its answer could not be read`, error)
}
