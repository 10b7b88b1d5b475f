import { onTestFinished } from 'vitest'
import { wireServer, type WireReply, type WireServer } from './wire-server.js'

/** A server for one test, closed when the test is over. */
export async function testServer(...replies: readonly WireReply[]): Promise<WireServer> {
  const server = await wireServer(replies)
  onTestFinished(() => server.close())
  return server
}
