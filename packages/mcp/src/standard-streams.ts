import process from 'node:process'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'

/** The stdin and stdout of this process as a transport that closes when the client does. */
export function standardStreams(): StdioServerTransport {
  const transport = new StdioServerTransport()
  const close = () => void transport.close()
  process.stdin.once('end', close)
  // Who cannot write to its client has none. Without a listener, the error would end the process in the middle of a call.
  process.stdout.on('error', close)
  return transport
}
