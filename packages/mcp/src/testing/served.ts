import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { type Tool, type ToolRuntime } from '@agent-spine/tools'
import { onTestFinished } from 'vitest'
import { serveTools, type ServedTools, type ServeOptions } from '../serve-tools.js'

/** Our tools and an official client of them. */
export interface Served {
  readonly client: Client
  readonly served: ServedTools
}

/** Serves tools to an official client in this process, for as long as the test runs. */
export async function serve(
  tools: readonly Tool[] | ToolRuntime,
  options: Partial<ServeOptions> = {},
): Promise<Served> {
  const [near, far] = InMemoryTransport.createLinkedPair()
  const served = await serveTools(tools, { name: 'ours', version: '1.0.0', ...options, transport: far })
  const client = new Client({ name: 'official', version: '1.0.0' })
  await client.connect(near)
  // Also compiles the output schemas, so that the client holds results to them.
  await client.listTools()
  onTestFinished(async () => {
    await client.close()
    await served.closed
  })
  return { client, served }
}
