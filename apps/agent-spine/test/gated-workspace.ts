import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A workspace whose tests wait at a gate: each connects to a socket, says its directory, and passes or fails when it is told
 * to. So a test decides how the runs interleave, without waiting for time, and sees a runner die when its connection ends.
 */
export interface GatedWorkspace {
  readonly directory: string
  /** Resolves once that many tests of the directory have reached the gate, since the start. */
  arrived(name: string, count?: number): Promise<void>
  /** Lets the tests of a directory end, those that wait and those to come. */
  open(name: string, outcome: 'pass' | 'fail'): void
  /** Resolves once no test waits at the gate. */
  empty(): Promise<void>
  close(): Promise<void>
}

const testFile = `import { connect } from 'node:net'
import { test } from 'node:test'
if (process.env.STUBBORN) process.on('SIGTERM', () => {})
test('waits at the gate', () => new Promise((resolve, reject) => {
  const socket = connect(process.env.GATE)
  socket.write(process.cwd().split('/').at(-1))
  socket.on('data', word => String(word) === 'pass' ? resolve() : reject(new Error('told to fail')))
}))
`

export async function gatedWorkspace(
  names: readonly string[],
): Promise<GatedWorkspace & { readonly gate: string }> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'gate-')))
  const directory = join(base, 'workspace')
  for (const name of names) {
    await mkdir(join(directory, name), { recursive: true })
    await writeFile(join(directory, name, 'gate.test.mjs'), testFile)
  }
  const gate = join(base, 'gate.sock')
  const waiting = new Map<Socket, string>()
  const arrivals = new Map<string, number>()
  const opened = new Map<string, string>()
  const watchers = new Set<() => void>()
  const changed = () => watchers.forEach(watcher => watcher())

  const server = createServer(socket => {
    socket.on('error', () => undefined)
    socket.on('close', () => {
      waiting.delete(socket)
      changed()
    })
    socket.once('data', (data: Buffer) => {
      const name = data.toString()
      waiting.set(socket, name)
      arrivals.set(name, (arrivals.get(name) ?? 0) + 1)
      const word = opened.get(name)
      if (word !== undefined) socket.end(word)
      changed()
    })
  })
  await new Promise<void>(resolve => server.listen(gate, resolve))

  function until(look: () => boolean): Promise<void> {
    return new Promise(resolve => {
      const watcher = () => {
        if (!look()) return
        watchers.delete(watcher)
        resolve()
      }
      watchers.add(watcher)
      watcher()
    })
  }

  return {
    directory,
    gate,
    arrived: (name, count = 1) => until(() => (arrivals.get(name) ?? 0) >= count),
    open(name, outcome) {
      opened.set(name, outcome)
      for (const [socket, at] of waiting) if (at === name) socket.end(outcome)
    },
    empty: () => until(() => waiting.size === 0),
    async close() {
      for (const socket of waiting.keys()) socket.destroy()
      await new Promise(resolve => server.close(resolve))
      await rm(base, { recursive: true, force: true })
    },
  }
}
