import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { PageAssets } from './embed-page.js'
import type { LiveChange, LiveLog } from './live-log.js'
import { pageDocument, pagePolicy, type PageAbout } from './page-document.js'

/*
 * Serves the page of a running session.
 *
 * W1 Only this machine reaches it: it listens on 127.0.0.1.
 * W2 Only who was given the address reads it: the path begins with a random token, compared in constant time.
 * W3 A page of another site cannot reach it through a name that it points at 127.0.0.1: the Host must be an address of
 *    this server. It answers no other origin.
 * W4 It only reads: any method but GET and HEAD is refused.
 * W5 Closing it ends every stream, and tells its reader that this was the end.
 */

/** A server that runs. */
export interface LiveServer {
  /** The address of the page, with its token. */
  readonly url: string
  readonly port: number
  /** Ends all streams and stops listening. */
  close(): Promise<void>
}

export interface LiveServerOptions {
  readonly about: Omit<PageAbout, 'live' | 'madeAt'>
  readonly log: LiveLog
  readonly assets: PageAssets
  /** 0, the default, takes a free one. */
  readonly port?: number
}

/** Starts serving. Rejects as the system does where the port cannot be had. */
export async function startLiveServer(options: LiveServerOptions): Promise<LiveServer> {
  const token = randomBytes(24).toString('base64url')
  const streams = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo
    const place = authorise(request, { port, token })
    const isHead = request.method === 'HEAD'
    if (typeof place === 'number') refuse(response, place)
    else if (place === '') void sendPage(response, options, isHead)
    else if (place !== 'events' || isHead) refuse(response, 404)
    else {
      streams.add(response)
      response.on('close', () => streams.delete(response))
      sendEvents(request, response, options.log)
    }
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/${token}/`, port, close: () => close(server, streams) }
}

/** The place below the token that a request may have, or the status it is refused with. */
function authorise(
  { method, url = '', headers }: IncomingMessage,
  { port, token }: { readonly port: number; readonly token: string },
): string | number {
  if (headers.host !== `127.0.0.1:${port}` && headers.host !== `localhost:${port}`) return 421
  const [, given = '', ...rest] = (url.split('?')[0] ?? '').split('/')
  if (!isSame(given, token)) return 404
  return method === 'GET' || method === 'HEAD' ? rest.join('/') : 405
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

const commonHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { ...commonHeaders, 'Content-Type': 'text/plain' })
  response.end(`${status}\n`)
}

async function sendPage(
  response: ServerResponse,
  { about, log, assets }: LiveServerOptions,
  headOnly: boolean,
): Promise<void> {
  const page: PageAbout = { ...about, madeAt: Date.now(), live: true }
  const policy = `${pagePolicy(page, assets)}; frame-ancestors 'none'`
  const type = 'text/html; charset=utf-8'
  response.writeHead(200, { ...commonHeaders, 'Content-Type': type, 'Content-Security-Policy': policy })
  if (!headOnly) {
    for (const piece of pageDocument(page, log.events, assets)) {
      if (!response.write(piece) && !(await drained(response))) return
    }
  }
  response.end()
}

/** Sends events from where the reader is, then each change, no faster than the reader takes them. */
function sendEvents(request: IncomingMessage, response: ServerResponse, log: LiveLog): void {
  response.writeHead(200, { ...commonHeaders, 'Content-Type': 'text/event-stream' })
  const query = new URLSearchParams((request.url ?? '').split('?')[1])
  const stated = Number(request.headers['last-event-id'] ?? query.get('from') ?? 0)
  let next = Number.isSafeInteger(stated) && stated >= 0 ? stated : 0
  let isSending = false
  let mustReset = next > log.events.length

  async function send(): Promise<void> {
    if (isSending) return
    isSending = true
    while (!response.closed && (mustReset || next < log.events.length)) {
      const events = log.events.slice(next, next + 2000)
      next = mustReset ? 0 : next + events.length
      const text = mustReset
        ? 'event: reset\ndata: {}\n\n'
        : `id: ${next}\nevent: events\ndata: ${JSON.stringify(events)}\n\n`
      mustReset = false
      if (!response.write(text) && !(await drained(response))) break
    }
    isSending = false
  }

  const unfollow = log.follow(({ kind }: LiveChange) => {
    if (kind === 'reset') mustReset = true
    void send()
  })
  response.on('close', unfollow)
  response.write(': following\n\n')
  void send()
}

/** Resolves with whether the reader is still there. */
function drained(response: ServerResponse): Promise<boolean> {
  return new Promise(resolve => {
    const settle = () => {
      response.off('drain', settle).off('close', settle)
      resolve(!response.closed)
    }
    if (response.closed) resolve(false)
    else response.on('drain', settle).on('close', settle)
  })
}

async function close(server: Server, streams: ReadonlySet<ServerResponse>): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  for (const stream of streams) stream.end('event: end\ndata: {}\n\n')
  // The last words go out before the connections do. A reader that does not take them is not waited for.
  await new Promise(resolve => setImmediate(resolve))
  server.closeAllConnections()
  await closed
}
