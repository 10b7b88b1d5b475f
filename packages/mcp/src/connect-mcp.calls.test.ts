import { describe, expect, it } from 'vitest'
import { connect, run, textOf, words } from './testing/connected.js'
import { gate } from './testing/gate.js'
import { listed } from './testing/scripted-server.js'

/** Calls and their outcomes, against the official SDK's server in this process, scripted to behave and to misbehave. */

describe('a call', () => {
  it('never reaches the server with arguments that do not fit', async () => {
    const inputSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
    const { connection, received } = await connect({
      pages: [[listed('count', { inputSchema })]],
      call: ({ arguments: args }) => words(JSON.stringify(args)),
    })
    const refused = await run(connection, 'count', { args: { n: '1' } })
    expect(refused.error?.code).toBe('INVALID_ARGS')
    await expect(connection.tools[0]?.execute({})).rejects.toMatchObject({ code: 'INVALID_ARGS' })
    expect(received).not.toContain('call count')
    expect(textOf(await run(connection, 'count', { args: { n: 1 } }))).toBe('{"n":1}')
  })

  it('tells of progress', async () => {
    const { connection } = await connect({
      pages: [[listed('work')]],
      call: async (_, extra) => {
        const progressToken = extra._meta?.progressToken ?? 'none'
        for (const progress of [1, 2]) {
          const params = { progressToken, progress, total: 2, message: 'half' }
          await extra.sendNotification({ method: 'notifications/progress', params })
        }
        return words('done')
      },
    })
    const updates: unknown[] = []
    await run(connection, 'work', { progress: (_, update) => updates.push(update) })
    expect(updates).toEqual([
      { progress: 1, total: 2, message: 'half' },
      { progress: 2, total: 2, message: 'half' },
    ])
  })

  it('that is cancelled is cancelled at the server, and has an unknown outcome', async () => {
    const [started, cancelled] = [gate(), gate<unknown>()]
    const { connection } = await connect({
      pages: [[listed('work')]],
      call: async (_, { signal }) => {
        started.open()
        signal.addEventListener('abort', () => cancelled.open(signal.reason))
        await cancelled.opened
        return words('too late')
      },
    })
    const stop = new AbortController()
    const outcome = run(connection, 'work', { signal: stop.signal })
    await started.opened
    stop.abort(new Error('the user left'))
    expect(await outcome).toMatchObject({ isError: true, error: { code: 'TOOL_OUTCOME_UNKNOWN' } })
    expect(textOf(await outcome)).toContain('the user left')
    expect(textOf(await outcome)).toContain('its outcome is not known')
    expect(await cancelled.opened).toBe('Error: the user left')
  })

  it('that was cancelled before it started is not sent', async () => {
    const { connection, received } = await connect({ pages: [[listed('work')]], call: () => words('ran') })
    const reason = new Error('the user left')
    const signal = AbortSignal.abort(reason)
    await expect(connection.tools[0]?.execute({}, { signal })).rejects.toBe(reason)
    expect(received).not.toContain('call work')
  })

  it('that was answered is not cancelled by an abort that comes later', async () => {
    const { connection, server, received } = await connect({
      pages: [[listed('work')]],
      call: () => words('done'),
    })
    server.fallbackNotificationHandler = ({ method }) => Promise.resolve(void received.push(method))
    const { onmessage } = server.transport ?? {}
    if (server.transport)
      server.transport.onmessage = (message, extra) => {
        if ('method' in message) received.push(message.method)
        onmessage?.(message, extra)
      }
    const stop = new AbortController()
    await connection.tools[0]?.execute({}, { signal: stop.signal })
    stop.abort()
    await connection.refresh()
    expect(received).toContain('tools/list')
    expect(received).not.toContain('notifications/cancelled')
  })

  it('that runs past its limit is cancelled at the server, and has an unknown outcome', async () => {
    const cancelled = gate()
    const { connection } = await connect(
      {
        pages: [[listed('work')]],
        call: async (_, { signal }) => {
          signal.addEventListener('abort', () => cancelled.open())
          await cancelled.opened
          return words('too late')
        },
      },
      { timeoutMs: 20 },
    )
    const outcome = await run(connection, 'work')
    expect(outcome.error?.code).toBe('TOOL_OUTCOME_UNKNOWN')
    expect(textOf(outcome)).toContain('past its limit of 20 ms')
    await cancelled.opened
  })

  it('whose server goes away while it runs has an unknown outcome', async () => {
    const { connection, server } = await connect({
      pages: [[listed('work')]],
      call: async () => {
        await server.close()
        return words('never sent')
      },
    })
    const outcome = await run(connection, 'work')
    expect(outcome.error?.code).toBe('TOOL_OUTCOME_UNKNOWN')
    expect(textOf(outcome)).toContain('ended while this call ran')
    await connection.closed
  })

  it('whose connection is closed here while it runs has an unknown outcome', async () => {
    const { connection } = await connect({
      pages: [[listed('work')]],
      call: async () => {
        await connection.close()
        return words('never sent')
      },
    })
    expect((await run(connection, 'work')).error?.code).toBe('TOOL_OUTCOME_UNKNOWN')
    expect((await run(connection, 'work')).error?.code).toBe('MCP_SERVER_GONE')
  })

  it('of a server that is gone was not sent, and says so', async () => {
    const { connection, server } = await connect({ pages: [[listed('work')]] })
    await server.close()
    expect(connection.isOpen).toBe(false)
    const outcome = await run(connection, 'work')
    expect(outcome.error?.code).toBe('MCP_SERVER_GONE')
    expect(textOf(outcome)).toContain('nothing was sent')
    await expect(connection.refresh()).rejects.toMatchObject({ code: 'MCP_SERVER_GONE' })
  })

  it('that could not be sent may have been, as far as anybody knows', async () => {
    const { connection, transport } = await connect({ pages: [[listed('work')]] })
    transport.send = () => Promise.reject(new Error('the cable is cut'))
    const outcome = await run(connection, 'work')
    expect(outcome.error?.code).toBe('TOOL_OUTCOME_UNKNOWN')
    expect(textOf(outcome)).toContain('the cable is cut')
  })

  it('that the server refuses tells what the server said', async () => {
    const { connection } = await connect({ pages: [[listed('work')]] })
    const outcome = await run(connection, 'work')
    expect(outcome.error?.code).toBe('MCP_REQUEST_FAILED')
    expect(textOf(outcome)).toContain('-32601')
  })
})

describe('a result', () => {
  it.each([
    ['neither content nor structure', {}],
    ['content that is no list', { content: 'text' }],
    ['structure that is no object', { content: [], structuredContent: [1] }],
  ])('with %s is no result, and the call did run', async (_, result) => {
    const { connection } = await connect({ pages: [[listed('work')]], call: () => result })
    const outcome = await run(connection, 'work')
    expect(outcome.error?.code).toBe('MCP_INVALID_RESULT')
    expect(textOf(outcome)).toContain('ran this call')
  })

  it('that says the tool failed is an error with all its words, and a note for each image', async () => {
    const { connection } = await connect({
      pages: [[listed('work')]],
      call: () => ({
        isError: true,
        content: [
          { type: 'text', text: 'disk full' },
          { type: 'image', mimeType: 'image/png', data: 'AAAA' },
        ],
      }),
    })
    const outcome = await run(connection, 'work')
    expect(outcome).toMatchObject({ isError: true, error: { code: 'MCP_TOOL_ERROR' } })
    expect(textOf(outcome)).toContain('disk full\n[an image (image/png)')
  })

  it.each([['ABORTED_BEFORE_DISPATCH'], ['INVALID_ARGS']])(
    'cannot claim to be the code %s of the runtime',
    async code => {
      const { connection } = await connect({
        pages: [[listed('work')]],
        call: () => ({ isError: true, content: [], _meta: { 'agent-spine/error': { code } } }),
      })
      expect((await run(connection, 'work')).error?.code).toBe('MCP_TOOL_ERROR')
    },
  )

  it('is held to the output schema of its tool', async () => {
    const outputSchema = {
      type: 'object',
      properties: { n: { type: 'integer', minimum: 1 } },
      required: ['n'],
    }
    let structuredContent: object | undefined = { n: 1 }
    const { connection } = await connect({
      pages: [[listed('count', { outputSchema })]],
      call: () => ({ ...words('one'), ...(structuredContent && { structuredContent }) }),
    })
    expect(connection.imports[0]).toMatchObject({
      output: { kind: 'checked', changes: [expect.objectContaining({ effect: 'weaker' })] },
    })
    expect(await run(connection, 'count')).toMatchObject({
      content: [{ text: 'one' }],
      value: { structured: { n: 1 } },
    })
    structuredContent = { n: 'one' }
    const misfit = await run(connection, 'count')
    expect(misfit.error?.code).toBe('INVALID_TOOL_OUTPUT')
    expect(textOf(misfit)).toContain('structured.n')
    structuredContent = undefined
    expect((await run(connection, 'count')).error?.code).toBe('INVALID_TOOL_OUTPUT')
  })

  it('is not checked, and that is said, where the output schema cannot be enforced', async () => {
    const outputSchema = { type: 'object', if: {}, then: {} }
    const { connection } = await connect({
      pages: [[listed('work', { outputSchema })]],
      call: () => ({ ...words('one'), structuredContent: { n: 1 } }),
    })
    expect(connection.imports[0]).toMatchObject({
      kind: 'imported',
      output: { kind: 'unchecked', reason: expect.stringContaining('"if"') as string },
    })
    expect(await run(connection, 'work')).toMatchObject({ value: { structured: { n: 1 } } })
  })

  it('shows its structure to the model only where there is no content', async () => {
    let content: object[] | undefined = []
    const { connection } = await connect({
      pages: [[listed('work')]],
      call: () => ({ ...(content && { content }), structuredContent: { n: 1 } }),
    })
    expect(textOf(await run(connection, 'work'))).toBe('{"n":1}')
    content = undefined
    expect(textOf(await run(connection, 'work'))).toBe('{"n":1}')
    content = [{ type: 'image', mimeType: 'image/png', data: 'AAAA' }]
    expect(textOf(await run(connection, 'work'))).toBe('<image/png>')
    content = [{ type: 'text', text: 'one' }]
    expect(textOf(await run(connection, 'work'))).toBe('one')
  })
})
