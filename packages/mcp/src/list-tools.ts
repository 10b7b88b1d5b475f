import { HarnessError, type JsonValue } from '@agent-spine/schema'
import { MCP_REQUEST_FAILED } from './errors.js'
import { ownOf } from './json-facts.js'
import { type Line } from './line.js'

/** Asks a server for all its tools, page by page. @throws HarnessError `MCP_REQUEST_FAILED` */
export async function listTools(line: Line, signal: AbortSignal): Promise<readonly JsonValue[]> {
  const listed: JsonValue[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  do {
    const page = await line.request('tools/list', cursor === undefined ? {} : { cursor }, { signal })
    const tools = ownOf(page, 'tools')
    if (!Array.isArray(tools)) throw listFailure(line, 'expected a list of tools')
    listed.push(...(tools as readonly JsonValue[]))
    const next = ownOf(page, 'nextCursor')
    cursor = typeof next === 'string' ? next : undefined
    if (cursor !== undefined && seen.has(cursor)) throw listFailure(line, 'the same page came twice')
    if (cursor !== undefined) seen.add(cursor)
  } while (cursor !== undefined)
  return listed
}

function listFailure(line: Line, what: string): HarnessError {
  return new HarnessError(
    MCP_REQUEST_FAILED,
    `The MCP server "${line.serverName}" could not list its tools: ${what}`,
  )
}
