import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { type ToolResultContent } from '@agent-spine/model'
import { createToolRuntime, defineTool, type Tool, type ToolRuntime } from '@agent-spine/tools'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serveTools, type ServedTools, type ServeOptions } from './serve-tools.js'
import { delivered, type Gate, gate } from './testing/gate.js'

/** Our tools, as the official client sees them. */

interface Served {
  readonly client: Client
  readonly served: ServedTools
}

async function serve(
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

const echo = defineTool({
  name: 'echo',
  description: 'Says it again.',
  parameters: { text: { type: 'string', required: true } },
  output: { type: 'string' },
  isConcurrencySafe: () => true,
  execute: ({ text }) => text,
})

const drawings: readonly ToolResultContent[] = [
  { type: 'image', mediaType: 'image/png', data: { kind: 'base64', base64: 'AAAA' } },
  { type: 'image', mediaType: 'image/png', data: { kind: 'url', url: 'https://example.org/a.png' } },
  { type: 'image', mediaType: 'image/png', data: { kind: 'base64', base64: 'not base64!' } },
]

describe('a served tool', () => {
  it('is listed with its schemas, whole', async () => {
    const sum = defineTool({
      name: 'sum',
      description: 'Adds.',
      parameters: { a: { type: 'integer', required: true } },
      closed: true,
      output: {
        type: 'object',
        additionalProperties: false,
        properties: { sum: { type: 'number', required: true } },
      },
      execute: ({ a }) => ({ sum: a }),
    })
    const { client } = await serve([sum, echo], { instructions: 'Be kind.' })
    expect(client.getInstructions()).toBe('Be kind.')
    expect((await client.listTools()).tools).toEqual([
      { name: 'echo', description: 'Says it again.', inputSchema: echo.parameters },
      {
        name: 'sum',
        description: 'Adds.',
        inputSchema: sum.parameters,
        outputSchema: sum.outputSchema,
      },
    ])
    expect(await client.callTool({ name: 'sum', arguments: { a: 2 } })).toEqual({
      content: [{ type: 'text', text: '{"sum":2}' }],
      structuredContent: { sum: 2 },
    })
  })

  it('is never run with arguments that do not fit, and the client is told all of why', async () => {
    const { client } = await serve([echo])
    expect(await client.callTool({ name: 'echo', arguments: { text: 7 } })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('"text" must be a string') as string }],
      _meta: { 'agent-spine/error': { name: 'ToolArgsError', code: 'INVALID_ARGS' } },
    })
    expect(await client.callTool({ name: 'eko' })).toMatchObject({
      isError: true,
      _meta: { 'agent-spine/error': { code: 'UNKNOWN_TOOL' } },
    })
  })

  it('fails in its own words', async () => {
    const broken = defineTool({
      name: 'broken',
      description: 'Fails.',
      parameters: {},
      execute: () => Promise.reject(new Error('disk full')),
    })
    const { client } = await serve([broken])
    expect(await client.callTool({ name: 'broken' })).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'disk full' }],
    })
  })

  it('answers with images, and with links where an image is elsewhere', async () => {
    const draw = defineTool({
      name: 'draw',
      description: 'Draws.',
      parameters: {},
      output: {
        schema: { type: 'string' },
        render: _ => drawings,
      },
      execute: () => 'drawn',
    })
    const { client } = await serve([draw])
    expect((await client.callTool({ name: 'draw' })).content).toEqual([
      { type: 'image', mimeType: 'image/png', data: 'AAAA' },
      { type: 'resource_link', name: 'image', mimeType: 'image/png', uri: 'https://example.org/a.png' },
      { type: 'text', text: '[an image (image/png) was left out: its data is not base64]' },
    ])
  })

  it('that needs an approval nobody can give is denied', async () => {
    let ran = false
    const remove = defineTool({
      name: 'remove',
      description: 'Removes.',
      parameters: {},
      execute: () => {
        ran = true
      },
    })
    const runtime = createToolRuntime({
      tools: [remove],
      hooks: { preExecute: () => ({ kind: 'ask', reason: 'it cannot be undone' }) },
    })
    const { client } = await serve(runtime)
    expect(await client.callTool({ name: 'remove' })).toMatchObject({
      isError: true,
      _meta: { 'agent-spine/error': { code: 'DENIED' } },
    })
    expect(ran).toBe(false)
  })

  it('tells of its progress, and its messages for the model follow the result', async () => {
    const work = defineTool({
      name: 'work',
      description: 'Works.',
      parameters: {},
      execute: (_, { progress, deferContext }) => {
        progress({ progress: 1, total: 2 })
        progress('half')
        deferContext('Mind the gap.')
        return 'done'
      },
    })
    const { client } = await serve([work])
    const updates: unknown[] = []
    const result = await client.callTool({ name: 'work' }, undefined, {
      onprogress: update => updates.push(update),
    })
    expect(updates).toEqual([
      { progress: 1, total: 2 },
      { progress: 2, message: 'half' },
    ])
    expect(result.content).toEqual([
      { type: 'text', text: 'done' },
      { type: 'text', text: 'Mind the gap.' },
    ])
  })

  it('that comes or goes is announced', async () => {
    const runtime = createToolRuntime({ tools: [echo] })
    const { client } = await serve(runtime)
    const told = gate()
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => told.open())
    runtime.register(defineTool({ name: 'new', description: 'New.', parameters: {}, execute: () => 1 }))
    await told.opened
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo', 'new'])
  })

  it('that a view hides is not served', async () => {
    const { client } = await serve(createToolRuntime({ tools: [echo] }).withTools(() => false))
    expect((await client.listTools()).tools).toEqual([])
    expect(await client.callTool({ name: 'echo', arguments: { text: 'hi' } })).toMatchObject({
      isError: true,
    })
  })
})

describe('structure that policy kept back', () => {
  const secret = defineTool({
    name: 'secret',
    description: 'Knows.',
    parameters: { size: { type: 'integer' } },
    output: {
      type: 'object',
      additionalProperties: false,
      properties: { password: { type: 'string', required: true } },
    },
    execute: ({ size = 7 }) => ({ password: 'x'.repeat(size) }),
  })

  it('does not leave by another door', async () => {
    const runtime = createToolRuntime({
      tools: [secret],
      hooks: { postExecute: () => ({ kind: 'replace-content', content: 'a password' }) },
    })
    const { client } = await serve(runtime)
    const result = await client.callTool({ name: 'secret' })
    expect(JSON.stringify(result)).not.toContain('xxxxxxx')
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: 'a password' }, { text: expect.stringContaining('The tool succeeded') as string }],
    })
  })

  it('is also what a size limit cut', async () => {
    const { client } = await serve(createToolRuntime({ tools: [secret], maxResultBytes: 1024 }))
    const result = await client.callTool({ name: 'secret', arguments: { size: 5000 } })
    expect(JSON.stringify(result).length).toBeLessThan(2000)
    expect(result.isError).toBe(true)
  })

  it('is not taken for kept back where a tool says nothing', async () => {
    const silent = defineTool({
      name: 'silent',
      description: 'Says nothing.',
      parameters: {},
      output: {
        schema: { type: 'object', additionalProperties: true, properties: {} },
        render: _ => '',
      },
      execute: () => ({ n: 1 }),
    })
    const { client } = await serve([silent])
    expect(await client.callTool({ name: 'silent' })).toEqual({
      content: [{ type: 'text', text: '(no output)' }],
      structuredContent: { n: 1 },
    })
  })

  it('is sent as policy replaced it', async () => {
    const runtime = createToolRuntime({
      tools: [secret],
      hooks: { postExecute: () => ({ kind: 'replace-value', value: { password: '***' } }) },
    })
    const { client } = await serve(runtime)
    expect((await client.callTool({ name: 'secret' })).structuredContent).toEqual({ password: '***' })
  })
})

describe('calls of one client', () => {
  function watched() {
    const started: string[] = []
    const ends = new Map<string, Gate>()
    const named = { name: { type: 'string', required: true } } as const
    async function execute(
      { name }: { readonly name: string },
      { signal }: { readonly signal: AbortSignal },
    ) {
      started.push(name)
      const end = gate()
      ends.set(name, end)
      signal.addEventListener('abort', () => end.open())
      await end.opened
      signal.throwIfAborted()
      return name
    }
    const look = defineTool({
      name: 'look',
      description: 'Looks.',
      parameters: named,
      isConcurrencySafe: () => true,
      execute,
    })
    const change = defineTool({ name: 'change', description: 'Changes.', parameters: named, execute })
    return { look, change, running: () => started, end: (name: string) => ends.get(name)?.open() }
  }

  it('overlap only where their tools allow it, and at most as many as may', async () => {
    const { look, change, running, end } = watched()
    const { client } = await serve([look, change], { maxParallel: 2 })
    const calls = [
      ['look', 'a'],
      ['look', 'b'],
      ['look', 'c'],
      ['change', 'd'],
      ['look', 'e'],
    ].map(([tool = '', name]) => client.callTool({ name: tool, arguments: { name } }))
    await delivered()
    expect(running()).toEqual(['a', 'b'])
    end('a')
    await calls[0]
    await delivered()
    expect(running()).toEqual(['a', 'b', 'c'])
    end('b')
    end('c')
    await Promise.all(calls.slice(0, 3))
    await delivered()
    expect(running()).toEqual(['a', 'b', 'c', 'd'])
    end('d')
    await calls[3]
    await delivered()
    expect(running()).toEqual(['a', 'b', 'c', 'd', 'e'])
    end('e')
    await calls[4]
  })

  it('that are cancelled are told so while they run, and never run when they wait', async () => {
    const { look, change, running, end } = watched()
    const runtime = createToolRuntime({ tools: [look, change] })
    const outcomes: unknown[] = []
    const seen = gate()
    runtime.onOutcome(({ outcome }) => {
      outcomes.push(outcome.error?.code)
      seen.open()
    })
    const { client } = await serve(runtime)
    const [first, second] = [new AbortController(), new AbortController()]
    const running1 = client.callTool({ name: 'change', arguments: { name: 'a' } }, undefined, {
      signal: first.signal,
    })
    const waiting = client.callTool({ name: 'change', arguments: { name: 'b' } }, undefined, {
      signal: second.signal,
    })
    const last = client.callTool({ name: 'look', arguments: { name: 'c' } })
    await delivered()
    second.abort()
    await expect(waiting).rejects.toThrow()
    first.abort()
    await expect(running1).rejects.toThrow()
    await seen.opened
    await delivered()
    expect(running()).toEqual(['a', 'c'])
    expect(outcomes).toEqual(['ABORTED'])
    end('c')
    await last
  })

  it('are cancelled when the client goes away, and `closed` waits for them', async () => {
    const [started, told, end] = [gate(), gate(), gate()]
    const slow = defineTool({
      name: 'slow',
      description: 'Takes its time to stop.',
      parameters: {},
      execute: async (_, { signal }) => {
        signal.addEventListener('abort', () => told.open())
        started.open()
        await end.opened
      },
    })
    const { client, served } = await serve([slow])
    const lost = expect(client.callTool({ name: 'slow' })).rejects.toThrow()
    await started.opened
    await client.close()
    await told.opened
    let isClosed = false
    void served.closed.then(() => (isClosed = true))
    await delivered()
    expect(isClosed).toBe(false)
    end.open()
    await served.closed
    await lost
  })

  it('reach the log before they run', async () => {
    const events: string[] = []
    const note = defineTool({
      name: 'note',
      description: 'Notes.',
      parameters: {},
      execute: () => void events.push('body'),
    })
    const { client } = await serve([note], { beforeBody: callId => void events.push(callId) })
    await client.callTool({ name: 'note' })
    expect(events).toEqual(['mcp-1', 'body'])
  })
})

it('a runtime that is served no longer has no listener of ours', async () => {
  const runtime = createToolRuntime({ tools: [echo] })
  let listeners = 0
  const watched: ToolRuntime = {
    ...runtime,
    onChange: listener => {
      const stop = runtime.onChange(listener)
      listeners++
      return () => {
        listeners--
        stop()
      }
    },
  }
  const { client, served } = await serve(watched)
  expect(listeners).toBe(1)
  await client.close()
  await served.closed
  expect(listeners).toBe(0)
})

it.each([{ maxParallel: 0 }, { abortGraceMs: -1 }])('%o is refused', async limits => {
  const [, transport] = InMemoryTransport.createLinkedPair()
  const options = { name: 'ours', version: '1.0.0', transport, ...limits }
  await expect(serveTools([echo], options)).rejects.toMatchObject({ code: 'INVALID_OPTION' })
})
