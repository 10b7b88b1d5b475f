import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { pid } from 'node:process'
import { SessionConflictError, SessionLockedError } from '../errors.js'
import { isLit, lightBeacon, type Beacon } from './beacon.js'
import type { FileLayer } from './file-layer.js'
import { lockName, numbersAfter } from './names.js'
import { publishNew, readSmall, removeQuietly, uniqueName, writeAll } from './publish.js'

/**
 * Gives one writer at a time a session, among processes of one host and containers that share the directory.
 *
 * W1 A holder listens on its socket before its lock file has a name, and until its last write is done. One whose socket
 *    file was removed in between holds nothing.
 * W2 Dead is who has another boot id, or whose socket refuses or is gone. Whoever else is alive, however silent.
 * W3 Every lock file is asked, not only the newest: one that was published late may be a living one.
 * W4 A new lock takes a number above all others, and holds only if none higher is there afterwards.
 * W5 Numbers never go back: losers leave their lock files, and the last lease leaves its own. Only a lease whose first
 *    events are durable removes older ones, the oldest first, so that lock g never stands without its successor.
 * W6 A holder is still the holder while lock g is its own file and lock g+1 is absent.
 */
export interface Lease {
  readonly generation: number
  /** Whether a living holder was forced aside. */
  readonly forced: boolean
  /** Throws `SessionConflictError` when the lease was lost. */
  readonly assertHeld: () => void
  removeOlder(): Promise<void>
  release(): Promise<void>
}

/** Where a lease is taken. */
export interface LeaseScope {
  readonly files: FileLayer
  readonly directory: string
  readonly id: string
}

interface Lock {
  readonly host: string
  readonly boot: string
  readonly pid: number
  /** Name of the socket file. */
  readonly socket: string
}

const socketPrefix = '.sock-'

/** Takes the writer lease. Throws `SessionLockedError` when somebody holds it, unless told to force them aside. */
export async function takeLease(scope: LeaseScope, force: boolean): Promise<Lease> {
  const { files, directory } = scope
  const socket = uniqueName(socketPrefix)
  const beacon = await lightBeacon(directory, socket)
  try {
    files.makePrivate(join(directory, socket))
    return await publishLock(scope, { force, socket, beacon })
  } catch (error) {
    await beacon.extinguish()
    removeQuietly(files, join(directory, socket))
    throw error
  }
}

async function publishLock(
  scope: LeaseScope,
  own: { readonly force: boolean; readonly socket: string; readonly beacon: Beacon },
): Promise<Lease> {
  const { files, directory, id } = scope
  const lock: Lock = { host: hostname(), boot: bootId(), pid, socket: own.socket }
  for (;;) {
    const taken = generations(scope)
    const holder = await livingHolder(scope, taken)
    if (holder !== undefined && !own.force) throw new SessionLockedError(id, holder)
    const generation = (taken.at(-1) ?? 0) + 1
    const name = lockName(id, generation)
    const published = await publishNew(files, { directory, name }, file =>
      writeAll(files, file, Buffer.from(JSON.stringify(lock))),
    )
    // Somebody was faster. Each round, somebody gets a lock, so this ends.
    if (!published) continue
    const facts = files.factsAt(join(directory, name))
    const highest = generations(scope).at(-1)
    if (!files.factsAt(join(directory, own.socket))) throw socketGone(id)
    if (!facts || highest !== generation) {
      throw new SessionLockedError(id, await describeHolder(scope, highest ?? generation))
    }
    return lease(scope, { generation, identity: facts.identity, forced: holder !== undefined, ...own })
  }
}

/** Nobody could tell that this holder lives. */
function socketGone(id: string): SessionConflictError {
  return new SessionConflictError(id, 'the socket of its new holder was removed')
}

function lease(
  scope: LeaseScope,
  own: {
    readonly generation: number
    readonly identity: string
    readonly forced: boolean
    readonly socket: string
    readonly beacon: Beacon
  },
): Lease {
  const { files, directory, id } = scope
  const { generation, identity, forced, socket, beacon } = own
  const path = join(directory, lockName(id, generation))
  const successor = join(directory, lockName(id, generation + 1))
  return {
    generation,
    forced,
    assertHeld: () => {
      if (files.factsAt(successor)) {
        throw new SessionConflictError(id, `lease ${generation} was followed by lease ${generation + 1}`)
      }
      if (files.factsAt(path)?.identity !== identity) {
        throw new SessionConflictError(id, `lease ${generation} is gone`)
      }
    },
    removeOlder: () => removeOlder(scope, generation),
    release: async () => {
      await beacon.extinguish()
      removeQuietly(files, join(directory, socket))
    },
  }
}

function generations({ files, directory, id }: LeaseScope): number[] {
  return numbersAfter(files.names(directory), lockName(id, 0).slice(0, -1))
}

/** Describes a living holder, if there is one. */
async function livingHolder(scope: LeaseScope, taken: readonly number[]): Promise<string | undefined> {
  for (const generation of taken.toReversed()) {
    const lock = await readLock(scope, generation)
    if (lock === 'gone') continue
    if (lock === 'unreadable' || (await isAlive(scope, lock))) return describeHolder(scope, generation)
  }
  return undefined
}

async function isAlive({ directory }: LeaseScope, lock: Lock): Promise<boolean> {
  const boot = bootId()
  if (boot !== '' && lock.boot !== '' && lock.boot !== boot) return false
  return isLit(directory, lock.socket)
}

async function describeHolder(scope: LeaseScope, generation: number): Promise<string> {
  const lock = await readLock(scope, generation)
  const name = lockName(scope.id, generation)
  return typeof lock === 'string' ? `the writer of ${name}` : `process ${lock.pid} on ${lock.host} (${name})`
}

async function readLock(scope: LeaseScope, generation: number): Promise<Lock | 'gone' | 'unreadable'> {
  const { files, directory, id } = scope
  const text = await readSmall(files, join(directory, lockName(id, generation)))
  if (text === undefined) return 'gone'
  try {
    const lock = JSON.parse(text) as Partial<Lock>
    // The name goes into a path: it must be one of ours.
    if (!/^\.sock-[0-9a-f]{16}$/.test(lock.socket ?? '')) return 'unreadable'
    return { host: '', boot: '', pid: 0, socket: '', ...lock }
  } catch {
    return 'unreadable'
  }
}

async function removeOlder(scope: LeaseScope, generation: number): Promise<void> {
  const { files, directory, id } = scope
  for (const older of generations(scope).filter(number => number < generation)) {
    const lock = await readLock(scope, older)
    if (typeof lock !== 'string') removeQuietly(files, join(directory, lock.socket))
    files.remove(join(directory, lockName(id, older)))
  }
}

/** Changes with every start of the kernel; empty where the platform has none. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return ''
  }
}
