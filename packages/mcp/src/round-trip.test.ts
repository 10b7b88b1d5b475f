import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { createToolRuntime, type ToolOutcome } from '@agent-spine/tools'
import { build } from 'tsup'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectMcp, type McpConnection } from './connect-mcp.js'
import { childProcesses } from './testing/children.js'
import { gate } from './testing/gate.js'

/** Our tools, served by a process of their own. */

let directory: string
let server: { command: string; args: string[] }

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'agent-spine-mcp-'))
  await build({
    config: false,
    entry: [fileURLToPath(new URL('testing/served-tools.fixture.ts', import.meta.url))],
    outDir: directory,
    format: 'esm',
    target: 'node20',
    outExtension: () => ({ js: '.mjs' }),
    noExternal: [/.*/],
    silent: true,
    esbuildOptions: options => void (options.conditions = ['@agent-spine/source']),
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  })
  server = { command: process.execPath, args: [join(directory, 'served-tools.fixture.mjs')] }
}, 60_000)

afterAll(() => rmSync(directory, { recursive: true, force: true }))

function leftOver(): string[] {
  return [...childProcesses().values()].filter(command => command.includes('served-tools'))
}

describe('our client', () => {
  const toldToStop = gate()
  let connection: McpConnection

  beforeAll(async () => {
    const onStderr = (text: string) => {
      if (text.includes('told to stop')) toldToStop.open()
    }
    connection = await connectMcp({ ...server, onStderr })
  }, 60_000)

  function run(name: string, args: object = {}, options: object = {}): Promise<ToolOutcome> {
    const call = { callId: 'c1', name, arguments: JSON.stringify(args) }
    return createToolRuntime({ tools: connection.tools }).execute(call, options)
  }

  it('finds every tool as it was defined', () => {
    expect(
      connection.imports.map(item => [item.mcpName, item.kind, item.kind === 'imported' && item.changes]),
    ).toEqual(['add', 'die', 'draw', 'wait'].map(name => [name, 'imported', []]))
    expect(connection.tools[0]?.parameters).toEqual({
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'integer' } },
      required: ['a', 'b'],
      additionalProperties: false,
    })
  })

  it('gets values, images and errors', async () => {
    expect(await run('add', { a: 1, b: 2 })).toMatchObject({ value: { structured: { sum: 3 } } })
    expect(await run('draw')).toMatchObject({
      content: [{ type: 'image', mediaType: 'image/png', data: { kind: 'base64', base64: 'AAAA' } }],
    })
    expect((await run('add', { a: 1, b: 2, c: 3 })).error?.code).toBe('INVALID_ARGS')
  })

  it('stops a body in the other process', async () => {
    const stop = new AbortController()
    const outcome = await run(
      'wait',
      {},
      { signal: stop.signal, progress: () => stop.abort(new Error('enough')) },
    )
    expect(outcome.error?.code).toBe('TOOL_OUTCOME_UNKNOWN')
    // An exclusive call cannot run before the body has stopped.
    expect(await run('draw')).not.toHaveProperty('isError')
    await toldToStop.opened
  })

  it('knows nothing of a call whose server died under it', async () => {
    expect((await run('die')).error?.code).toBe('TOOL_OUTCOME_UNKNOWN')
    expect((await run('draw')).error?.code).toBe('MCP_SERVER_GONE')
    await connection.closed
    expect(leftOver()).toEqual([])
  })
})

describe('a client that no longer listens', () => {
  it('ends the process in order, at the first word that cannot reach it', async () => {
    const child = spawn(server.command, server.args)
    let stderr = ''
    child.stderr.on('data', text => void (stderr += String(text)))
    child.stdout.destroy()
    child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    const [code] = (await once(child, 'close')) as [number]
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'closed\n' })
  })
})

describe('the official client', () => {
  it('gets the same, and its end ends the bodies and the process', async () => {
    const transport = new StdioClientTransport({ ...server, stderr: 'pipe' })
    let stderr = ''
    transport.stderr?.on('data', text => void (stderr += String(text)))
    const allRead = new Promise(resolve => transport.stderr?.once('end', resolve))
    const client = new Client({ name: 'official', version: '1.0.0' })
    await client.connect(transport)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['add', 'die', 'draw', 'wait'])
    expect(await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })).toEqual({
      content: [{ type: 'text', text: '{"sum":3}' }],
      structuredContent: { sum: 3 },
    })
    expect(await client.callTool({ name: 'draw' })).toEqual({
      content: [{ type: 'image', mimeType: 'image/png', data: 'AAAA' }],
    })
    expect(await client.callTool({ name: 'add', arguments: { a: 1 } })).toMatchObject({
      isError: true,
      _meta: { 'agent-spine/error': { code: 'INVALID_ARGS' } },
    })
    let started: () => void = () => undefined
    const running = new Promise<void>(resolve => {
      started = resolve
    })
    const lost = expect(
      client.callTool({ name: 'wait' }, undefined, { onprogress: started }),
    ).rejects.toThrow()
    await running
    await client.close()
    await Promise.all([lost, allRead])
    expect(stderr).toContain('told to stop')
    expect(stderr).toContain('closed')
    expect(leftOver()).toEqual([])
  })
})
