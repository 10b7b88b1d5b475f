import { createToolRuntime, type ToolOutcome } from '@agent-spine/tools'
import { onTestFinished } from 'vitest'
import { connectMcp, type McpConnection, type McpConnectOptions } from '../connect-mcp.js'
import { type Script, scriptedServer, type ScriptedServer } from './scripted-server.js'

/** A scripted server and our connection to it. */
export interface Pair extends ScriptedServer {
  readonly connection: McpConnection
}

/** Connects to a scripted server, for as long as the test runs. */
export async function connect(script: Script, options: McpConnectOptions = {}): Promise<Pair> {
  const scripted = await scriptedServer(script)
  const connection = await connectMcp({ transport: scripted.transport, ...options })
  onTestFinished(() => connection.close())
  return { ...scripted, connection }
}

/** How a call is run. */
export interface CallOptions {
  readonly args?: object
  readonly signal?: AbortSignal
  readonly progress?: (callId: string, update: unknown) => void
}

/** Runs one call of a connection's tool through a runtime. */
export function run(
  connection: McpConnection,
  name: string,
  { args = {}, ...options }: CallOptions = {},
): Promise<ToolOutcome> {
  const call = { callId: 'c1', name, arguments: JSON.stringify(args) }
  return createToolRuntime({ tools: connection.tools }).execute(call, options)
}

/** What a model reads of an outcome. */
export function textOf({ content }: ToolOutcome): string {
  return content.map(block => (block.type === 'text' ? block.text : `<${block.mediaType}>`)).join('\n')
}

/** A result of text. */
export function words(text: string): object {
  return { content: [{ type: 'text', text }] }
}
