import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  type ListToolsResult,
} from '@modelcontextprotocol/sdk/types.js'
import { HarnessError } from '@agent-spine/schema'
import { createToolRuntime, type Tool, type ToolRuntime } from '@agent-spine/tools'
import { CallGate } from './call-gate.js'
import { runServedCall, type ServedCallOptions } from './served-call.js'
import { standardStreams } from './standard-streams.js'
import { toMcp } from './to-mcp.js'
import { type McpTransport, sdkTransport } from './transport.js'

/** How tools are served. */
export interface ServeOptions extends ServedCallOptions {
  /** What the server calls itself. */
  readonly name: string
  readonly version: string
  /** What models should know about the use of these tools. */
  readonly instructions?: string
  /** Default: the stdin and stdout of this process, which must then write nothing else to stdout. */
  readonly transport?: McpTransport
  /** How many calls may run at once. Default 10. */
  readonly maxParallel?: number
}

/** Tools that are being served to one client. */
export interface ServedTools {
  /** Resolves when the client is gone, or `close` was called, and every call that ran has settled. */
  readonly closed: Promise<void>
  /** Ends the connection and cancels the calls that run. */
  close(): Promise<void>
}

/**
 * Serves tools to an MCP client. Every call goes through the runtime: validation, hooks, guards, approval, limits. Calls
 * overlap where their tools allow it.
 *
 * @throws HarnessError `INVALID_OPTION`, or `DUPLICATE_TOOL` for two tools of one name
 */
export async function serveTools(
  tools: readonly Tool[] | ToolRuntime,
  options: ServeOptions,
): Promise<ServedTools> {
  const runtime = 'execute' in tools ? tools : createToolRuntime({ tools })
  const gate = new CallGate(atLeastOne(options.maxParallel ?? 10))
  const stages = runtime.bind(options)
  const { name, version, instructions } = options
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the high-level server takes zod schemas only, not JSON Schema
  const server = new Server(
    { name, version },
    { capabilities: { tools: { listChanged: true } }, ...(instructions !== undefined && { instructions }) },
  )
  const running = new Set<Promise<unknown>>()
  let served = 0

  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listed(runtime) }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) => {
    const call = {
      callId: `mcp-${++served}`,
      name: params.name,
      arguments: JSON.stringify(params.arguments ?? {}),
    }
    const progressToken = extra._meta?.progressToken
    const answer = runServedCall(
      { runtime, stages, gate, options },
      {
        call,
        signal: extra.signal,
        ...(progressToken !== undefined && {
          progress: {
            token: progressToken,
            // A client that is gone needs no progress; its calls are cancelled elsewhere.
            send: params =>
              void extra
                .sendNotification({ method: 'notifications/progress', params })
                .catch(() => undefined),
          },
        }),
      },
    )
    const settled: Promise<unknown> = answer.catch(() => undefined).then(() => running.delete(settled))
    running.add(settled)
    return answer
  })

  const stopListening = runtime.onChange(() => void server.sendToolListChanged().catch(() => undefined))
  const closed = new Promise<void>(resolve => {
    server.onclose = () => {
      stopListening()
      resolve()
    }
  }).then(async () => {
    await Promise.all(running)
  })
  const transport = options.transport ?? standardStreams()
  await server.connect(sdkTransport(transport))
  return { closed, close: () => transport.close() }
}

function listed(runtime: ToolRuntime): ListToolsResult['tools'] {
  const tools = runtime
    .schemas()
    .map(({ name }) => runtime.get(name))
    .filter(tool => tool !== undefined)
    .map(tool => toMcp(tool).tool)
  // The root of every parameter schema is an object, and so is that of every output schema that `toMcp` lets through.
  return tools as unknown as ListToolsResult['tools']
}

function atLeastOne(count: number): number {
  if (Number.isInteger(count) && count > 0) return count
  throw new HarnessError('INVALID_OPTION', `maxParallel must be a positive integer, found ${count}`)
}
