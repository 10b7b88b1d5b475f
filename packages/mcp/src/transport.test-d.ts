import { type SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { type StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { type StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { type InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { type StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { type StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { type Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { expectTypeOf, it } from 'vitest'
import { type McpTransport } from './transport.js'

it('every transport of the official SDK fits', () => {
  expectTypeOf<Transport>().toExtend<McpTransport>()
  expectTypeOf<InMemoryTransport>().toExtend<McpTransport>()
  expectTypeOf<StdioClientTransport>().toExtend<McpTransport>()
  expectTypeOf<StdioServerTransport>().toExtend<McpTransport>()
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- it is still in use
  expectTypeOf<SSEClientTransport>().toExtend<McpTransport>()
  expectTypeOf<StreamableHTTPClientTransport>().toExtend<McpTransport>()
  expectTypeOf<StreamableHTTPServerTransport>().toExtend<McpTransport>()
})
