import { createToolRuntime, defineTool } from '@agent-spine/tools'
import { describe, expect, it } from 'vitest'
import { delivered, type Gate, gate } from './testing/gate.js'
import { serve } from './testing/served.js'

/** Calls that meet at our server: overlap, cancellation, the end of the client. */

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
