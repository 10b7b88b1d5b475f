import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { jsonlStore } from '../jsonl.js'
import { machineFiles } from './file-layer.js'
import { temporaryDirectory } from './jsonl.fixture.js'
import { takeLease } from './lease.js'
import { header } from './sample-events.fixture.js'
import { sweepLeftovers } from './sweep.js'

const hour = 60 * 60 * 1000

/** Makes the file `name` look as old as said. */
function age(directory: string, name: string, ageMs: number): void {
  const then = new Date(Date.now() - ageMs)
  utimesSync(join(directory, name), then, then)
}

function leave(directory: string, name: string, ageMs: number): void {
  writeFileSync(join(directory, name), 'left behind')
  age(directory, name, ageMs)
}

async function listen(directory: string, name: string): Promise<void> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(join(directory, name), resolve))
  onTestFinished(() => void server.close())
}

it('opening a session sweeps what killed processes left half-made, and nothing else', async () => {
  const directory = temporaryDirectory()
  const store = jsonlStore(directory)
  await (await store.create(header)).close()
  leave(directory, '.tmp-0123456789abcdef', 2 * hour)
  // A file that is no socket refuses every connection, as the socket of a dead process does.
  leave(directory, '.sock-0123456789abcdef', 2 * hour)
  const kept = ['.tmp-aaaaaaaaaaaaaaaa', '.sock-aaaaaaaaaaaaaaaa']
  for (const name of kept) leave(directory, name, hour / 2)
  const foreign = ['.tmp-notes', '.sock-0123456789abcde', 'x.tmp-0123456789abcdef', '.tmp-0123456789ABCDEF']
  for (const name of foreign) leave(directory, name, 48 * hour)
  await (await store.open('s')).log.close()
  expect(readdirSync(directory).sort()).toEqual(
    [...kept, ...foreign, 's.jsonl', 's.lock-1', 's.lock-2'].sort(),
  )
})

it('S2: a socket that somebody listens on stays, however old', async () => {
  const directory = temporaryDirectory()
  const name = '.sock-bbbbbbbbbbbbbbbb'
  await listen(directory, name)
  age(directory, name, 1000 * hour)
  await sweepLeftovers(machineFiles, directory)
  expect(readdirSync(directory)).toEqual([name])
})

it('what cannot be swept keeps nobody from opening', async () => {
  const directory = temporaryDirectory()
  const store = jsonlStore(directory)
  await (await store.create(header)).close()
  mkdirSync(join(directory, '.tmp-cccccccccccccccc'))
  age(directory, '.tmp-cccccccccccccccc', 2 * hour)
  await (await store.open('s')).log.close()
})

it('S3: a taker whose socket was swept before its lock had a name holds nothing', async () => {
  const directory = temporaryDirectory()
  const files = {
    ...machineFiles,
    link(path: string, name: string) {
      for (const other of readdirSync(directory))
        if (other.startsWith('.sock-')) machineFiles.remove(join(directory, other))
      return machineFiles.link(path, name)
    },
  }
  await expect(takeLease({ files, directory, id: 's' }, false)).rejects.toMatchObject({
    code: 'SESSION_CONFLICT',
  })
  const lease = await takeLease({ files: machineFiles, directory, id: 's' }, false)
  await lease.release()
})
