import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createProcessGroups, type CommandLine } from './process-groups.js'

let directory: string
let server: Server

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'groups-'))
  server = createServer()
  await new Promise<void>(resolve => server.listen(join(directory, 's'), resolve))
})

afterEach(async () => {
  server.close()
  await rm(directory, { recursive: true, force: true })
})

/** A program that holds a connection to the server for as long as it lives. */
const holds = `require('node:net').connect(${JSON.stringify('s')});`

function node(script: string): CommandLine {
  return { program: process.execPath, args: ['-e', script], directory }
}

async function connected(): Promise<Socket> {
  const [socket] = (await once(server, 'connection')) as [Socket]
  return socket.on('error', () => undefined).resume()
}

const groups = (graceMs?: number) =>
  createProcessGroups({ environment: process.env, ...(graceMs !== undefined && { graceMs }) })
const never = () => new AbortController().signal

it('returns the exit code and both streams', async () => {
  const script = 'process.stdout.write("out\\n"); process.stderr.write("err\\n"); process.exitCode = 3'
  const { exitCode, output } = await groups().run(node(script), never())
  expect(exitCode).toBe(3)
  expect(output.split('\n').toSorted()).toEqual(['', 'err', 'out'])
})

it('says which signal ended it', async () => {
  const { exitCode, endedBy } = await groups().run(node('process.kill(process.pid, "SIGKILL")'), never())
  expect([exitCode, endedBy]).toEqual([null, 'SIGKILL'])
})

it('keeps the end of a long output, in whole lines', async () => {
  const script = 'for (let i = 0; i < 20000; i++) console.log("line " + i)'
  const few = createProcessGroups({ environment: process.env, outputBytes: 1_000 })
  const { output } = await few.run(node(script), never())
  expect(output.length).toBeLessThanOrEqual(1_000)
  expect(output).toMatch(/^line \d+\n/)
  expect(output.endsWith('line 19999\n')).toBe(true)
})

it('P1: an abort ends a whole tree that ignores SIGTERM, and rejects with the reason', async () => {
  const stubborn = `process.on('SIGTERM', () => {}); ${holds}`
  const parent = `process.on('SIGTERM', () => {}); require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(stubborn)}], { stdio: 'inherit' }); setInterval(() => {}, 1e6)`
  const abort = new AbortController()
  const running = groups(50).run(node(parent), abort.signal)
  const socket = await connected()
  const gone = once(socket, 'close')
  const reason = new Error('cancelled')
  abort.abort(reason)
  await expect(running).rejects.toBe(reason)
  await gone
})

it('P2: what a command leaves running does not outlive its call', async () => {
  const parent = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(`process.on('SIGTERM', () => {}); ${holds}`)}], { stdio: 'inherit' }).unref(); require('node:net').createServer(() => process.exit(0)).listen('ready')`
  const running = groups().run(node(parent), never())
  const socket = await connected()
  const gone = once(socket, 'close')
  const { connect } = await import('node:net')
  connect(join(directory, 'ready')).on('error', () => undefined)
  expect((await running).exitCode).toBe(0)
  await gone
})

it('P3: killAll ends every group at once', async () => {
  const all = groups()
  const running = all.run(node(holds), never())
  await connected()
  all.killAll()
  expect((await running).endedBy).toBe('SIGKILL')
})

it('starts nothing after an abort, and says when there is no such program', async () => {
  await expect(groups().run(node(holds), AbortSignal.abort(new Error('early')))).rejects.toThrow('early')
  const missing = { program: 'no-such-program', args: [], directory }
  await expect(groups().run(missing, never())).rejects.toMatchObject({ code: 'COMMAND_NOT_STARTED' })
})
