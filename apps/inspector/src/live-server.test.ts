import { request, type IncomingMessage, type RequestOptions } from 'node:http'
import { once } from 'node:events'
import type { SessionEvent } from '@agent-spine/session'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sampleLog } from '../test/sample-log.js'
import { createLiveLog, type LiveLog } from './live-log.js'
import { startLiveServer, type LiveServer } from './live-server.js'

const assets = { script: 'void 0', style: '' }
const all = sampleLog()
let holds: readonly SessionEvent[]
let log: LiveLog
let server: LiveServer

beforeEach(async () => {
  holds = all.slice(0, 3)
  // eslint-disable-next-line @typescript-eslint/require-await -- a log is read asynchronously
  log = createLiveLog(async function* () {
    yield* holds
  })
  await log.refresh()
  server = await startLiveServer({ about: { session: 's' }, log, assets })
})
afterEach(() => server.close())

async function ask(path: string, options: RequestOptions = {}): Promise<IncomingMessage> {
  const asked = request(new URL(path, server.url), { agent: false, ...options }).end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  return response.setEncoding('utf8')
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of response) text += String(piece)
  return text
}

/** What a stream has sent, once it holds `part`. */
async function sent(response: IncomingMessage, part: string): Promise<string> {
  let text = ''
  for await (const piece of response.iterator({ destroyOnReturn: false })) {
    text += String(piece)
    if (text.includes(part)) return text
  }
  throw new Error(`expected ${part}, found ${text}`)
}

const seqsIn = (text: string) =>
  [...text.matchAll(/^data: (\[.*\])$/gm)].flatMap(([, data = '']) =>
    (JSON.parse(data) as SessionEvent[]).map(({ seq }) => seq),
  )

describe('who may read', () => {
  it('is on this machine (W1) and has the address (W2)', async () => {
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}\/$/)
    const response = await ask('')
    expect(response.statusCode).toBe(200)
    expect(await textOf(response)).toContain('"live":true')
  })

  it.each(['/', '/favicon.ico', '/events', `/${'x'.repeat(32)}/`, `/${'x'.repeat(32)}/events`, '/%2e/'])(
    '%s without the token is not there (W2)',
    async path => {
      expect((await ask(path)).statusCode).toBe(404)
    },
  )

  it.each(['evil.example', 'evil.example:PORT', '127.0.0.1', '127.0.0.1:1', '127.0.0.1:PORT.evil.example'])(
    'Host %j is refused, with the token too (W3)',
    async host => {
      const headers = { Host: host.replace('PORT', String(server.port)) }
      expect((await ask('', { headers })).statusCode).toBe(421)
    },
  )

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('%s is refused (W4)', async method => {
    expect((await ask('', { method })).statusCode).toBe(405)
  })

  it('no other origin is answered, framed or told where it came from (W3)', async () => {
    const { headers } = await ask('', { headers: { Origin: 'https://evil.example' } })
    expect(headers['access-control-allow-origin']).toBeUndefined()
    expect(headers).toMatchObject({
      'cross-origin-resource-policy': 'same-origin',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  })

  it('has a token of its own for each server', async () => {
    const other = await startLiveServer({ about: { session: 's' }, log, assets })
    expect(new URL(other.url).pathname).not.toBe(new URL(server.url).pathname)
    await other.close()
  })
})

describe('the stream', () => {
  it('sends what comes after the place that the reader names, and then each change', async () => {
    const response = await ask('events?from=1')
    expect(seqsIn(await sent(response, 'id: 3'))).toEqual([1, 2])
    holds = all.slice(0, 6)
    await log.refresh()
    expect(seqsIn(await sent(response, 'id: 6'))).toEqual([3, 4, 5])
  })

  it('goes on where a reader that lost its connection was', async () => {
    const response = await ask('events?from=0', { headers: { 'Last-Event-ID': '2' } })
    expect(seqsIn(await sent(response, 'id: 3'))).toEqual([2])
  })

  it('tells of a log that was rewritten', async () => {
    const response = await ask('events?from=3')
    holds = all.slice(0, 1)
    await log.refresh()
    await sent(response, 'event: reset')
  })

  it('ends with the server, and says so (W5)', async () => {
    const response = await ask('events?from=3')
    await sent(response, ': following')
    await server.close()
    expect(await sent(response, 'event: end')).toContain('event: end')
    server = await startLiveServer({ about: { session: 's' }, log, assets })
  })

  it('a reader that takes nothing does not keep the server open (W5)', async () => {
    holds = Array.from({ length: 30_000 }, (_, seq) => ({ ...all[2], seq })) as SessionEvent[]
    await log.refresh()
    const response = await ask('events?from=0')
    response.pause()
    await server.close()
    response.destroy()
    server = await startLiveServer({ about: { session: 's' }, log, assets })
  })
})

it('a port that is taken rejects', async () => {
  await expect(
    startLiveServer({ about: { session: 's' }, log, assets, port: server.port }),
  ).rejects.toMatchObject({ code: 'EADDRINUSE' })
})
