/* eslint-disable @typescript-eslint/no-deprecated -- the high-level server would put these wrong answers right */
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  InitializedNotificationSchema,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'
import { type McpTransport } from '../transport.js'

type Extra = Parameters<Parameters<Server['setRequestHandler']>[1]>[1]

/** What a server of these tests answers. */
export interface Script {
  /** The pages of its tool list; a later listing gets the last pages that were set. */
  pages?: readonly (readonly object[])[]
  /** The cursor that leads from a page to the next. */
  cursor?: (page: number) => string
  /** Holds a listing back, after it was received. */
  beforeList?: () => Promise<void>
  call?: (params: { readonly name: string; readonly arguments?: object }, extra: Extra) => unknown
}

/** The official server at one end, and the transport of the other. */
export interface ScriptedServer {
  readonly server: Server
  readonly transport: McpTransport
  /** What arrived, in order: methods, and the names of called tools. */
  readonly received: string[]
}

/** Answers of any shape, also wrong ones: the messages are put on the wire as they are. */
export async function scriptedServer(script: Script): Promise<ScriptedServer> {
  const [near, far] = InMemoryTransport.createLinkedPair()
  const received: string[] = []
  const server = new Server(
    { name: 'scripted', version: '1.2.3' },
    { capabilities: { tools: { listChanged: true } }, instructions: 'Be kind.' },
  )
  server.setNotificationHandler(InitializedNotificationSchema, () => void received.push('initialized'))
  server.setRequestHandler(ListToolsRequestSchema, async ({ params }) => {
    const page = Number(params?.cursor?.replace(/\D/g, '') ?? 0)
    received.push(`list ${page}`)
    await script.beforeList?.()
    const pages = script.pages ?? []
    const hasMore = page + 1 < pages.length
    return {
      tools: (pages[page] ?? []) as never,
      ...(hasMore && { nextCursor: script.cursor?.(page + 1) ?? `page-${page + 1}` }),
    }
  })
  // Not `setRequestHandler`, which would refuse wrong results before they are sent.
  server.fallbackRequestHandler = async (request, extra) => {
    const { success, data } = CallToolRequestSchema.safeParse(request)
    if (!success || !script.call) throw new McpError(-32601, 'no such method')
    received.push(`call ${data.params.name}`)
    return (await script.call(data.params as never, extra)) as object
  }
  await server.connect(far)
  return { server, transport: near, received }
}

/** A tool as a server lists it. */
export function listed(name: string, more: object = {}): object {
  return { name, description: `Does ${name}.`, inputSchema: { type: 'object' }, ...more }
}
