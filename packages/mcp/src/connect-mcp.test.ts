import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { describe, expect, it } from 'vitest'
import { connectMcp, type McpConnection } from './connect-mcp.js'
import { connect, run, textOf, words } from './testing/connected.js'
import { delivered, gate } from './testing/gate.js'
import { listed, type Script, scriptedServer } from './testing/scripted-server.js'

/** Connecting and listing, against the official SDK's server in this process, scripted to behave and to misbehave. */

function names({ tools }: McpConnection): string[] {
  return tools.map(({ name }) => name)
}

describe('the tools of a server', () => {
  it('come from every page, in order', async () => {
    const { connection, received } = await connect({ pages: [[listed('a')], [listed('b')], [listed('c')]] })
    expect(names(connection)).toEqual(['a', 'b', 'c'])
    expect(received).toEqual(['initialized', 'list 0', 'list 1', 'list 2'])
    expect(connection.server).toEqual({ name: 'scripted', version: '1.2.3', instructions: 'Be kind.' })
  })

  it('are not asked for forever by a server whose pages never end', async () => {
    const pages = [[listed('a')], [listed('b')], [listed('c')]]
    const scripted = await scriptedServer({ pages, cursor: () => 'page-1' })
    await expect(connectMcp({ transport: scripted.transport })).rejects.toMatchObject({
      code: 'MCP_CONNECT_FAILED',
      message: expect.stringContaining('the same page came twice') as string,
    })
  })

  it('report every rule of their schemas that is not enforced as it was written', async () => {
    const inputSchema = { type: 'object', properties: { n: { type: 'integer', minimum: 1 } } }
    const { connection } = await connect({ pages: [[listed('count', { inputSchema })]] })
    expect(connection.imports).toEqual([
      expect.objectContaining({
        kind: 'imported',
        mcpName: 'count',
        changes: [
          expect.objectContaining({ pointer: '/properties/n', keyword: 'minimum', effect: 'weaker' }),
        ],
      }),
    ])
    expect(connection.tools[0]?.schemaChanges).toHaveLength(1)
  })

  it('are left out, with the reason, when their schema cannot be enforced; `lossy` takes them and reports it', async () => {
    const inputSchema = { type: 'object', properties: {}, if: { required: ['a'] }, then: { required: ['b'] } }
    const pages = [[listed('strange', { inputSchema }), listed('plain')]]
    const { connection: strict } = await connect({ pages })
    expect(names(strict)).toEqual(['plain'])
    expect(strict.imports[0]).toMatchObject({
      kind: 'left-out',
      mcpName: 'strange',
      reason: expect.stringContaining('"if"') as string,
    })
    const { connection: lossy } = await connect({ pages }, { lossy: true })
    expect(names(lossy)).toEqual(['strange', 'plain'])
    expect(lossy.imports[0]).toMatchObject({ changes: [expect.objectContaining({ effect: 'weaker' }), {}] })
  })

  it('do not disturb each other, whatever one of them looks like', async () => {
    const { connection } = await connect({
      pages: [
        [
          null as unknown as object,
          { name: 7 },
          { name: 'no-schema' },
          listed('task', { execution: { taskSupport: 'required' } }),
          listed('fine'),
        ],
      ],
    })
    expect(names(connection)).toEqual(['fine'])
    expect(connection.imports.map(item => (item.kind === 'left-out' ? item.reason : 'imported'))).toEqual([
      'it has no name',
      'it has no name',
      'its input schema is not an object',
      'it can only be called as a task, which is not supported',
      'imported',
    ])
  })

  it('get names that every provider takes, and never the name of another', async () => {
    const pages = [[listed('a.b'), listed('a/b'), listed('x'.repeat(60)), listed('a_c')]]
    const { connection } = await connect({ pages }, { prefix: 'files_' })
    expect(names(connection)).toEqual(['files_a_b', 'files_a_c'])
    expect(connection.imports.map(({ kind }) => kind)).toEqual([
      'imported',
      'left-out',
      'left-out',
      'imported',
    ])
    expect(connection.imports[1]).toMatchObject({ reason: expect.stringContaining('"files_a_b"') as string })
    expect(connection.imports[2]).toMatchObject({
      reason: expect.stringContaining('longer than 64') as string,
    })
  })

  it('are called by the name that the server gave them', async () => {
    const { connection, received } = await connect(
      { pages: [[listed('a.b')]], call: () => words('ok') },
      { prefix: 'p-' },
    )
    expect(textOf(await run(connection, 'p-a_b'))).toBe('ok')
    expect(received).toContain('call a.b')
  })

  it('run alone, whatever they claim, until the claim is trusted', async () => {
    const pages = [
      [
        listed('reads', { annotations: { readOnlyHint: true } }),
        listed('claims', { annotations: { readOnlyHint: 'true' } }),
        listed('writes'),
      ],
    ]
    const { connection: wary } = await connect({ pages })
    expect(wary.tools.map(tool => tool.isConcurrencySafe({}))).toEqual([false, false, false])
    const { connection: trusting } = await connect({ pages }, { trustReadOnlyHint: true })
    expect(trusting.tools.map(tool => tool.isConcurrencySafe({}))).toEqual([true, false, false])
    expect(trusting.imports[0]).toMatchObject({ annotations: { readOnlyHint: true } })
  })

  it('are listed again on request, when the server said that they changed', async () => {
    const script: Script = { pages: [[listed('a')]], call: () => words('still here') }
    const { connection, server } = await connect(script)
    const old = connection.tools
    const told = gate()
    connection.onToolsChanged(() => told.open())
    script.pages = [[listed('a'), listed('b')]]
    await server.sendToolListChanged()
    await told.opened
    expect(connection.isStale).toBe(true)
    expect(names(connection)).toEqual(['a'])
    await connection.refresh()
    expect(connection.isStale).toBe(false)
    expect(names(connection)).toEqual(['a', 'b'])
    await expect(old[0]?.execute({})).resolves.toMatchObject({ content: [{ text: 'still here' }] })
  })

  it('are those of the newest listing, however many are asked for at once', async () => {
    const script: Script = { pages: [[listed('a')]] }
    const { connection, received } = await connect(script)
    const answer = gate()
    script.beforeList = () => answer.opened
    const both = [connection.refresh(), connection.refresh()]
    script.pages = [[listed('b')]]
    expect(received.filter(what => what === 'list 0')).toHaveLength(1)
    await delivered()
    expect(received.filter(what => what === 'list 0')).toHaveLength(2)
    answer.open()
    await Promise.all(both)
    expect(received.filter(what => what === 'list 0')).toHaveLength(3)
    expect(names(connection)).toEqual(['b'])
  })

  it('stay as they were when listing them again fails', async () => {
    const script: Script = { pages: [[listed('a')]] }
    const { connection } = await connect(script)
    script.cursor = () => 'page-0'
    script.pages = [[listed('b')], [listed('c')]]
    await expect(connection.refresh()).rejects.toMatchObject({ code: 'MCP_REQUEST_FAILED' })
    expect(names(connection)).toEqual(['a'])
  })
})

describe('connecting', () => {
  it('gives up at its limit, when the server never answers', async () => {
    const [near, far] = InMemoryTransport.createLinkedPair()
    await far.start()
    await expect(connectMcp({ transport: near, requestLimitMs: 20 })).rejects.toMatchObject({
      code: 'MCP_CONNECT_FAILED',
      message: expect.stringContaining('no answer within 20 ms') as string,
    })
  })

  it('gives up when told to, with the reason that was given', async () => {
    const [near, far] = InMemoryTransport.createLinkedPair()
    const stop = new AbortController()
    far.onmessage = () => stop.abort(new Error('enough'))
    await far.start()
    await expect(connectMcp({ transport: near, signal: stop.signal })).rejects.toThrow('enough')
  })

  it('gives up on a transport that never starts', async () => {
    const transport = {
      start: () => new Promise<void>(() => undefined),
      send: () => Promise.resolve(),
      close: () => Promise.resolve(),
    }
    await expect(connectMcp({ transport, requestLimitMs: 20 })).rejects.toMatchObject({
      code: 'MCP_CONNECT_FAILED',
    })
  })

  it('refuses a limit that is none', async () => {
    const [transport] = InMemoryTransport.createLinkedPair()
    await expect(connectMcp({ transport, requestLimitMs: 0 })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
    })
  })
})
