import process from 'node:process'
import { defineTool } from '@agent-spine/tools'
import { serveTools } from '../index.js'

/** A program that serves tools over its stdin and stdout, until its client is gone. */

const add = defineTool({
  name: 'add',
  description: 'Adds two integers.',
  parameters: { a: { type: 'integer', required: true }, b: { type: 'integer', required: true } },
  closed: true,
  output: {
    type: 'object',
    additionalProperties: false,
    properties: { sum: { type: 'integer', required: true } },
  },
  isConcurrencySafe: () => true,
  execute: ({ a, b }) => ({ sum: a + b }),
})

const draw = defineTool({
  name: 'draw',
  description: 'Draws a dot.',
  parameters: {},
  output: {
    schema: { type: 'string' },
    render: base64 => [{ type: 'image', mediaType: 'image/png', data: { kind: 'base64', base64 } }],
  },
  execute: () => 'AAAA',
})

const wait = defineTool({
  name: 'wait',
  description: 'Works until it is told to stop.',
  parameters: {},
  execute: async (_, { signal, progress }) => {
    const keepAlive = setInterval(() => undefined, 1000)
    const told = new Promise(resolve => signal.addEventListener('abort', resolve))
    progress('started')
    await told
    clearInterval(keepAlive)
    process.stderr.write('told to stop\n')
    signal.throwIfAborted()
  },
})

const die = defineTool({
  name: 'die',
  description: 'Kills its own process.',
  parameters: {},
  execute: () => process.kill(process.pid, 'SIGKILL'),
})

const served = await serveTools([add, draw, wait, die], { name: 'ours', version: '1.0.0' })
await served.closed
process.stderr.write('closed\n')
