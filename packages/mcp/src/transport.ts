import { type Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

/**
 * What carries the messages: any transport of the official SDK, such as `StreamableHTTPClientTransport`, or one of your
 * own. The callbacks are set by the connection, before `start`.
 */
export interface McpTransport {
  start(): Promise<void>
  send(message: object): Promise<void>
  close(): Promise<void>
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onmessage?: ((message: never) => void) | undefined
}

/**
 * The same transport as the SDK types it. Our interface says the same without the SDK's types, so that they are no part
 * of our API.
 */
export function sdkTransport(transport: McpTransport): Transport {
  return transport as Transport
}
