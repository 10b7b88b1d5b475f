import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { type ToolResultContent } from '@agent-spine/model'
import { createToolRuntime, defineTool, type ToolRuntime } from '@agent-spine/tools'
import { describe, expect, it } from 'vitest'
import { serveTools } from './serve-tools.js'
import { gate } from './testing/gate.js'
import { serve } from './testing/served.js'

/** Our tools, as the official client sees them. */

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
