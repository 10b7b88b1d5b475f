import { readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { machineFiles } from './file-layer.js'
import { temporaryDirectory } from './jsonl.fixture.js'
import { takeLease, type LeaseScope } from './lease.js'

function scopeIn(directory: string): LeaseScope {
  return { files: machineFiles, directory, id: 's' }
}

const locks = ({ directory }: LeaseScope) =>
  readdirSync(directory)
    .filter(name => name.startsWith('s.lock-'))
    .sort()

/** Writes a lock file as another process would. */
function plant({ directory }: LeaseScope, generation: number, lock: object) {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  const complete = { host: 'elsewhere', boot, pid: 4242, socket: '.sock-0123456789abcdef', ...lock }
  writeFileSync(join(directory, `s.lock-${generation}`), JSON.stringify(complete))
}

describe('a lease', () => {
  it('is refused while anybody holds it, and names who', async () => {
    const scope = scopeIn(temporaryDirectory())
    const lease = await takeLease(scope, false)
    const second = takeLease(scope, false)
    await expect(second).rejects.toMatchObject({ code: 'SESSION_LOCKED', sessionId: 's' })
    await expect(second).rejects.toThrow(`process ${process.pid} on `)
    await lease.release()
    expect((await takeLease(scope, false)).generation).toBe(2)
  })

  it('leaves no socket behind, taken or refused', async () => {
    const scope = scopeIn(temporaryDirectory())
    const lease = await takeLease(scope, false)
    await expect(takeLease(scope, false)).rejects.toThrow('held')
    await lease.release()
    expect(readdirSync(scope.directory)).toEqual(['s.lock-1'])
  })

  it('is not kept by one whose socket refuses, is gone, or was of another start of the machine', async () => {
    const scope = scopeIn(temporaryDirectory())
    const server = createServer()
    const living = '.sock-aaaaaaaaaaaaaaaa'
    await new Promise<void>(resolve => server.listen(join(scope.directory, living), resolve))
    // A file that is no socket refuses every connection.
    writeFileSync(join(scope.directory, '.sock-0123456789abcdef'), '')
    plant(scope, 1, {})
    plant(scope, 2, { socket: '.sock-ffffffffffffffff' })
    plant(scope, 3, { socket: living, boot: 'another' })
    const lease = await takeLease(scope, false)
    expect(lease.generation).toBe(4)
    await lease.release()
    await new Promise(resolve => server.close(resolve))
  })

  it('is kept by a living holder of an older lock, published late', async () => {
    const scope = scopeIn(temporaryDirectory())
    const living = await takeLease(scope, false)
    plant(scope, 2, {})
    await expect(takeLease(scope, false)).rejects.toThrow('s.lock-1')
    await living.release()
    expect((await takeLease(scope, false)).generation).toBe(3)
  })

  it.each([
    ['that is empty', ''],
    ['that is no JSON', '{'],
    ['whose socket is a path', '{"socket":"../.sock-0123456789abcdef"}'],
  ])('is kept by a lock file nobody can ask: %s', async (_, text) => {
    const scope = scopeIn(temporaryDirectory())
    writeFileSync(join(scope.directory, 's.lock-7'), text)
    await expect(takeLease(scope, false)).rejects.toThrow('the writer of s.lock-7')
    expect((await takeLease(scope, true)).generation).toBe(8)
  })

  it('is lost to a higher number that came in between, and leaves its lock file', async () => {
    const directory = temporaryDirectory()
    const scope: LeaseScope = {
      ...scopeIn(directory),
      files: {
        ...machineFiles,
        syncDirectory: () => {
          plant(scope, 2, {})
          return Promise.resolve()
        },
      },
    }
    await expect(takeLease(scope, false)).rejects.toThrow('process 4242 on elsewhere (s.lock-2)')
    expect(locks(scope)).toEqual(['s.lock-1', 's.lock-2'])
  })

  it('takes the next number when another was faster', async () => {
    const directory = temporaryDirectory()
    let raced = false
    const scope: LeaseScope = {
      ...scopeIn(directory),
      files: {
        ...machineFiles,
        link: (path, name) => {
          if (!raced) plant(scope, 1, {})
          raced = true
          return machineFiles.link(path, name)
        },
      },
    }
    expect((await takeLease(scope, false)).generation).toBe(2)
  })

  it('removes older locks with their sockets, the oldest first, and stops where it cannot', async () => {
    const directory = temporaryDirectory()
    const removed: string[] = []
    const scope: LeaseScope = {
      ...scopeIn(directory),
      files: {
        ...machineFiles,
        remove: path => {
          if (path.endsWith('lock-2')) throw new Error('no')
          removed.push(path.slice(directory.length + 1))
          machineFiles.remove(path)
        },
      },
    }
    for (const generation of [1, 2, 3]) plant(scope, generation, {})
    const lease = await takeLease(scope, false)
    removed.length = 0
    await expect(lease.removeOlder()).rejects.toThrow('no')
    expect(removed).toEqual(['.sock-0123456789abcdef', 's.lock-1', '.sock-0123456789abcdef'])
    expect(locks(scope)).toEqual(['s.lock-2', 's.lock-3', 's.lock-4'])
  })

  it('does not mind locks of sessions with longer names', async () => {
    const scope = scopeIn(temporaryDirectory())
    for (const name of ['s.lock-1.lock-9', 's.lock-x', 's.lock-', 's.lock-01', 'ss.lock-5']) {
      writeFileSync(join(scope.directory, name), '')
    }
    expect((await takeLease(scope, false)).generation).toBe(1)
  })
})

describe('a forced lease', () => {
  it('ends the one before it, which stays ended when its own lock file comes back', async () => {
    const scope = scopeIn(temporaryDirectory())
    const old = await takeLease(scope, false)
    expect(() => old.assertHeld()).not.toThrow()
    const forced = await takeLease(scope, true)
    expect(forced).toMatchObject({ generation: 2, forced: true })
    expect(() => old.assertHeld()).toThrow(expect.objectContaining({ code: 'SESSION_CONFLICT' }))
    await forced.removeOlder()
    expect(() => old.assertHeld()).toThrow(expect.objectContaining({ code: 'SESSION_CONFLICT' }))
    // A taker that slept since lock 1 was free publishes it now, and loses.
    plant(scope, 1, {})
    unlinkSync(join(scope.directory, 's.lock-2'))
    expect(() => old.assertHeld()).toThrow(expect.objectContaining({ code: 'SESSION_CONFLICT' }))
  })

  it('is an ordinary one where nobody lives', async () => {
    const scope = scopeIn(temporaryDirectory())
    await (await takeLease(scope, false)).release()
    expect(await takeLease(scope, true)).toMatchObject({ generation: 2, forced: false })
  })
})

it('takers that all start at once leave one holder', async () => {
  const scope = scopeIn(temporaryDirectory())
  for (let round = 0; round < 10; round++) {
    const outcomes = await Promise.allSettled([1, 2, 3, 4, 5].map(() => takeLease(scope, false)))
    const held = outcomes.flatMap(outcome => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    expect(held).toHaveLength(1)
    expect(() => held[0]?.assertHeld()).not.toThrow()
    await held[0]?.release()
  }
})
