import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server'
import { expect, expectTypeOf, it, onTestFinished } from 'vitest'
import { defineParameters } from './index.js'

// The real MCP SDK takes a validator as it is, through Standard Schema and Standard JSON Schema.

const parameters = defineParameters(
  {
    path: { type: 'string', required: true, description: 'What to read.' },
    limit: { type: 'integer' },
    ranges: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        properties: { from: { type: 'integer', required: true }, to: { type: 'integer' } },
      },
    },
  },
  { closed: true },
)

/** A client and a server with one tool, in one process. */
async function connect() {
  const handled: unknown[] = []
  const server = new McpServer({ name: 'test', version: '1.0.0' })
  server.registerTool('read', { description: 'Reads.', inputSchema: parameters }, args => {
    expectTypeOf(args.limit).toEqualTypeOf<number | undefined>()
    handled.push(args)
    return { content: [{ type: 'text', text: args.path }] }
  })
  const client = new Client({ name: 'test', version: '1.0.0' })
  const [near, far] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(far), client.connect(near)])
  onTestFinished(() => client.close())
  return { client, handled }
}

it('lists our JSON Schema', async () => {
  const { client } = await connect()
  const { tools } = await client.listTools()
  expect(tools.map(({ name, inputSchema }) => ({ name, inputSchema }))).toEqual([
    {
      name: 'read',
      inputSchema: { $schema: 'https://json-schema.org/draft/2020-12/schema', ...parameters.jsonSchema },
    },
  ])
})

it('hands the arguments that fit to the handler', async () => {
  const { client, handled } = await connect()
  const args = { path: 'notes.md', ranges: [{ from: 1 }] }
  const result = await client.callTool({ name: 'read', arguments: args })
  expect(result.content).toEqual([{ type: 'text', text: 'notes.md' }])
  expect(handled).toEqual([args])
})

it('refuses the arguments that do not fit, with every reason', async () => {
  const { client, handled } = await connect()
  const call = client.callTool({ name: 'read', arguments: { limit: '5', ranges: [{}], rang: 1 } })
  const told = await call.then(result => JSON.stringify(result), String)
  expect(told).toContain('is required but missing')
  expect(told).toContain('must be an integer')
  expect(told).toContain('is not a declared property')
  expect(handled).toEqual([])
})
