/** A provider on this machine: answers each request with the next reply, and keeps what it was asked. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One answer of a provider. */
export interface WireReply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** What is written, piece by piece. */
  readonly body: readonly string[]
  /** How the answer ends: well, with its connection destroyed, or not at all. Default `end`. */
  readonly ending?: 'end' | 'disconnect' | 'hang'
}

/** One request as it came over the wire. */
export interface WireRequest {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly text: string
  readonly json: Readonly<Record<string, unknown>>
}

export interface WireServer {
  readonly url: string
  readonly requests: readonly WireRequest[]
  /** Resolves when a client has closed the connection of an answer that hangs. */
  readonly abandoned: Promise<void>
  close(): Promise<void>
}

/** Starts a server. The caller closes it. */
export async function wireServer(replies: readonly WireReply[]): Promise<WireServer> {
  const requests: WireRequest[] = []
  let abandon: () => void = () => undefined
  const abandoned = new Promise<void>(resolve => {
    abandon = resolve
  })
  const server = createServer((request, response) => {
    void readText(request).then(text => {
      const reply = replies[requests.length]
      requests.push({
        path: request.url ?? '',
        headers: request.headers,
        text,
        json: JSON.parse(text) as Record<string, unknown>,
      })
      if (reply?.ending === 'hang') response.once('close', abandon)
      return answer(response, reply ?? { status: 500, body: ['no reply left'] })
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    abandoned,
    close: () =>
      new Promise(resolve => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}

/** The pieces of an answer as server-sent events, one piece an event. */
export function events(data: readonly unknown[], named = false): string[] {
  return data.map(item => {
    const text = typeof item === 'string' ? item : JSON.stringify(item)
    const name = named ? `event: ${(item as { readonly type: string }).type}\n` : ''
    return `${name}data: ${text}\n\n`
  })
}

/** An answer that is a stream of events. */
export function streamReply(body: readonly string[], ending: WireReply['ending'] = 'end'): WireReply {
  return { headers: { 'content-type': 'text/event-stream' }, body, ending }
}

/** An answer that is an error. */
export function errorReply(
  status: number,
  error: unknown,
  headers: Readonly<Record<string, string>> = {},
): WireReply {
  const text = typeof error === 'string' ? error : JSON.stringify(error)
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: [text] }
}

async function readText(request: IncomingMessage): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of request) pieces.push(piece as Uint8Array)
  return Buffer.concat(pieces).toString('utf8')
}

async function answer(response: ServerResponse, reply: WireReply): Promise<void> {
  response.writeHead(reply.status ?? 200, reply.headers)
  for (const piece of reply.body) {
    await new Promise<void>(resolve => {
      response.write(piece, () => {
        resolve()
      })
    })
  }
  if (reply.ending === 'hang') return
  if (reply.ending === 'disconnect') response.destroy()
  else response.end()
}
