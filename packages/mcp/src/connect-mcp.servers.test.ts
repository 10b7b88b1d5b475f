import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { connectMcp, type McpConnection, type McpConnectOptions } from './connect-mcp.js'
import { type McpServerProcess } from './server-process.js'
import { childProcesses, childWith } from './testing/children.js'
import { run, textOf } from './testing/connected.js'
import { realServers } from './testing/real-servers.js'

/** The server packages of the MCP project, in real processes that are really killed. */

let directory: string
const open = new Set<McpConnection>()

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'agent-spine-mcp-'))
})

afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** After each group, every server has ended. */
async function closeAll(): Promise<void> {
  await Promise.all([...open].map(connection => connection.close()))
  open.clear()
  expect([...childProcesses().values()]).toEqual([])
}

async function connect(server: McpServerProcess, options: McpConnectOptions = {}): Promise<McpConnection> {
  const connection = await connectMcp({ ...server, ...options })
  open.add(connection)
  return connection
}

/** Tells of progress long before it ends. */
const longOperation = { args: { duration: 1, steps: 20 } }

describe('server-filesystem', () => {
  let connection: McpConnection
  beforeAll(async () => {
    connection = await connect(realServers.filesystem(directory))
  }, 60_000)
  afterAll(closeAll)

  it('is taken over whole, each schema with what was changed', () => {
    const { server, imports } = connection
    expect(server.name).toBe('secure-filesystem-server')
    expect(imports.map(({ kind }) => kind)).not.toContain('left-out')
    expect(imports).toContainEqual(
      expect.objectContaining({
        mcpName: 'read_multiple_files',
        changes: expect.arrayContaining([
          expect.objectContaining({ keyword: 'minItems', effect: 'weaker' }),
        ]) as unknown,
      }),
    )
  })

  it('reads and writes, and answers with structure that was checked', async () => {
    const path = join(directory, 'a.txt')
    await run(connection, 'write_file', { args: { path, content: 'hello' } })
    expect(readFileSync(path, 'utf8')).toBe('hello')
    expect(await run(connection, 'read_text_file', { args: { path } })).toMatchObject({
      content: [{ type: 'text', text: 'hello' }],
      value: { structured: { content: 'hello' } },
    })
  })

  it('never sees arguments that do not fit', async () => {
    const path = join(directory, 'never.txt')
    const outcome = await run(connection, 'write_file', { args: { path, content: 7 } })
    expect(outcome.error?.code).toBe('INVALID_ARGS')
    expect(existsSync(path)).toBe(false)
  })

  it('tells why it refused', async () => {
    const outcome = await run(connection, 'read_text_file', { args: { path: '/etc/hostname' } })
    expect(outcome).toMatchObject({ isError: true, error: { code: 'MCP_TOOL_ERROR' } })
    expect(textOf(outcome)).toContain('Access denied')
  })

  it('shows an image as an image', async () => {
    const path = join(directory, 'dot.png')
    writeFileSync(path, Buffer.from('iVBORw0KGgo=', 'base64'))
    expect(await run(connection, 'read_media_file', { args: { path } })).toMatchObject({
      content: [{ type: 'image', mediaType: 'image/png', data: { kind: 'base64', base64: 'iVBORw0KGgo=' } }],
    })
  })
})

describe('server-memory', () => {
  afterAll(closeAll)

  it('gets the environment and the arguments it was given, and keeps what it was told', async () => {
    const file = join(directory, 'memory.jsonl')
    const connection = await connect({ ...realServers.memory, env: { MEMORY_FILE_PATH: file } })
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['likes engines'] }]
    await run(connection, 'create_entities', { args: { entities } })
    expect(readFileSync(file, 'utf8')).toContain('likes engines')
    expect(await run(connection, 'read_graph')).toMatchObject({
      value: { structured: { entities: [expect.objectContaining({ name: 'Ada' })] } },
    })
  })
})

describe('server-everything', () => {
  let connection: McpConnection
  beforeAll(async () => {
    connection = await connect(realServers.everything)
  }, 60_000)
  afterAll(closeAll)

  it('answers with images, links, resources and structure, and nothing of it is lost', async () => {
    expect(textOf(await run(connection, 'get-tiny-image'))).toContain('<image/png>')
    expect(textOf(await run(connection, 'get-resource-links', { args: { count: 1 } }))).toContain(
      '[link to a resource: demo://resource/dynamic/',
    )
    const reference = { args: { resourceType: 'Blob', resourceId: 1 } }
    expect(textOf(await run(connection, 'get-resource-reference', reference))).toContain(
      '[embedded resource: demo://resource/dynamic/blob/1',
    )
    expect(await run(connection, 'get-structured-content', { args: { location: 'Chicago' } })).toMatchObject({
      value: { structured: { temperature: 36 } },
    })
  })

  it('leaves out what needs the task protocol, and says so', () => {
    expect(connection.imports).toContainEqual({
      kind: 'left-out',
      mcpName: 'simulate-research-query',
      reason: 'it can only be called as a task, which is not supported',
    })
  })

  it('can be told to stop in the middle of a call, and answers the next', async () => {
    const stop = new AbortController()
    const outcome = await run(connection, 'trigger-long-running-operation', {
      ...longOperation,
      signal: stop.signal,
      progress: () => stop.abort(new Error('enough')),
    })
    expect(outcome.error?.code).toBe('TOOL_OUTCOME_UNKNOWN')
    expect(textOf(await run(connection, 'echo', { args: { message: 'hi' } }))).toBe('Echo: hi')
  })
})

describe('a server', () => {
  afterEach(closeAll)

  it('killed in the middle of a call, leaves an outcome that nobody knows', async () => {
    const connection = await connect(realServers.everything)
    const server = childWith('server-everything')
    const outcome = await run(connection, 'trigger-long-running-operation', {
      ...longOperation,
      progress: () => process.kill(server, 'SIGKILL'),
    })
    expect(outcome.error?.code).toBe('TOOL_OUTCOME_UNKNOWN')
    expect(textOf(outcome)).toContain('ended while this call ran')
    await connection.closed
    expect(connection.isOpen).toBe(false)
  })

  it('killed between calls, gets no more of them', async () => {
    const connection = await connect(realServers.everything)
    process.kill(childWith('server-everything'), 'SIGKILL')
    await connection.closed
    const outcome = await run(connection, 'echo', { args: { message: 'hi' } })
    expect(outcome.error?.code).toBe('MCP_SERVER_GONE')
  })

  it('killed a moment before a call, makes it end all the same', async () => {
    const connection = await connect(realServers.everything)
    process.kill(childWith('server-everything'), 'SIGKILL')
    const outcome = await run(connection, 'echo', { args: { message: 'hi' } })
    expect(['MCP_SERVER_GONE', 'TOOL_OUTCOME_UNKNOWN']).toContain(outcome.error?.code)
  })
})

describe('a process that is no server', () => {
  it('is not found', async () => {
    await expect(connectMcp({ command: join(directory, 'nothing-here') })).rejects.toMatchObject({
      code: 'MCP_CONNECT_FAILED',
      message: expect.stringContaining('ENOENT') as string,
    })
  })

  it('ends with words on stderr that say why', async () => {
    const args = ['-e', 'console.error("no token in the environment"); process.exit(3)']
    let heard = ''
    const onStderr = (text: string) => void (heard += text)
    await expect(connectMcp({ command: process.execPath, args, onStderr })).rejects.toMatchObject({
      code: 'MCP_CONNECT_FAILED',
      message: expect.stringContaining('no token in the environment') as string,
    })
    expect(heard).toContain('no token in the environment')
  })

  it('is ended, when it never answers and ignores that nobody listens', async () => {
    const args = ['-e', 'setInterval(() => {}, 1000)']
    await expect(connectMcp({ command: process.execPath, args, requestLimitMs: 100 })).rejects.toMatchObject({
      code: 'MCP_CONNECT_FAILED',
      message: expect.stringContaining('no answer within 100 ms') as string,
    })
    expect([...childProcesses().values()]).toEqual([])
  })
})
