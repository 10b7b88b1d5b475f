import { join, resolve } from 'node:path'
import { SessionExistsError, SessionLockedError, SessionNotFoundError } from '../errors.js'
import type { SessionEvent } from '../event.js'
import { assertSessionId } from '../session-id.js'
import type { OpenedSession, SessionHeader, SessionLog, SessionStore } from '../store.js'
import { storeError } from './errors.js'
import { machineFiles, type FileLayer } from './file-layer.js'
import { sealHeader } from './format.js'
import { takeLease, type Lease, type LeaseScope } from './lease.js'
import { LogFile } from './log-file.js'
import { currentLogs, logName } from './names.js'
import { publishNew, writeAll } from './publish.js'
import { readEvents, readHeader, readLog } from './reader.js'
import { mendLog, removeLossNote } from './recover.js'
import { salvageLog, type SalvagedSession } from './salvage.js'
import { sweepLeftovers } from './sweep.js'
import { LogWriter } from './writer.js'

/** How a JSONL store writes. */
export interface JsonlStoreOptions {
  /**
   * What a flush waits for. `disk` (the default): the events survive power loss. `os`: they survive the death of the
   * process only, so "no `tool/dispatch` means the body never ran" holds after `kill -9` but not after a power cut.
   */
  readonly durability?: 'disk' | 'os'
}

/** A {@link SessionStore} with one readable file for each session. */
export interface JsonlStore extends SessionStore {
  /**
   * Reads a session and takes its writer lease. With `force`, a living holder is pushed aside: it can no longer write,
   * and what it had made durable goes on in a new file. Only for a holder that you know is stuck.
   *
   * @throws `SessionNotFoundError`, `SessionLockedError`, `SessionCorruptError`
   */
  open(id: string, options?: { readonly force?: boolean }): Promise<OpenedSession>
  /** Copies what is good of a damaged session to a new one, and says what was lost. The damaged one stays as it is. */
  salvage(id: string): Promise<SalvagedSession>
}

/**
 * Keeps sessions as files in `directory`, which is made when the first session is. One writer a session, on one host;
 * any number of readers.
 */
export function jsonlStore(directory: string, options: JsonlStoreOptions = {}): JsonlStore {
  return storeOn(machineFiles, directory, options)
}

/** A JSONL store on any file layer. */
export function storeOn(files: FileLayer, directory: string, options: JsonlStoreOptions = {}): JsonlStore {
  const root = resolve(directory)
  const syncs = (options.durability ?? 'disk') === 'disk'

  function scopeOf(id: string): LeaseScope {
    assertSessionId(id)
    return { files, directory: root, id }
  }

  /** The file name of the session's log. */
  function locate({ id }: LeaseScope): string {
    const name = currentLogs(files.names(root)).get(id)
    if (name === undefined) throw new SessionNotFoundError(id)
    return name
  }

  async function create(header: SessionHeader): Promise<SessionLog> {
    const scope = scopeOf(header.id)
    files.makeDirectory(root)
    if (currentLogs(files.names(root)).has(scope.id)) throw new SessionExistsError(scope.id)
    const lease = await leaseOfNew(scope)
    return holding(lease, async () => {
      const line = Buffer.from(sealHeader(header))
      const name = logName(scope.id)
      const published = await publishNew(files, { directory: root, name }, file =>
        writeAll(files, file, line),
      )
      if (!published) throw new SessionExistsError(scope.id)
      const file = files.open(join(root, name), 'append')
      return writer(scope, lease, { file, size: line.length, nextSeq: 0, endsWithMark: false })
    })
  }

  async function open(id: string, { force = false } = {}): Promise<OpenedSession> {
    const scope = scopeOf(id)
    locate(scope)
    const lease = await takeLease(scope, force)
    return holding(lease, async () => {
      // Only the holder knows which log counts: a forced takeover may just have made another.
      const name = locate(scope)
      const { scan, events } = await readLog({ files, path: join(root, name), id })
      const { header, recovered, ...mended } = await mendLog(scope, lease, { name, scan })
      const { endsWithMark } = scan
      const log = writer(scope, lease, { ...mended, nextSeq: events.length, endsWithMark })
      // What cannot be swept only wastes space.
      await sweepLeftovers(files, root).catch(() => undefined)
      return { header, events, log, isParsed: true, ...(recovered && { recovered }) }
    })
  }

  async function* read(id: string): AsyncGenerator<SessionEvent> {
    const scope = scopeOf(id)
    yield* readEvents({ files, path: join(root, locate(scope)), id })
  }

  async function* list(): AsyncGenerator<SessionHeader> {
    const failures: unknown[] = []
    const logs = [...currentLogs(files.names(root))].sort(([left], [right]) => (left < right ? -1 : 1))
    for (const [id, name] of logs) {
      try {
        yield await readHeader({ files, path: join(root, name), id })
      } catch (error) {
        failures.push(error)
      }
    }
    // One damaged file hides no other session, and is not passed over in silence.
    if (failures.length > 0) throw failures[0]
  }

  function writer(
    scope: LeaseScope,
    lease: Lease,
    log: {
      readonly file: number
      readonly size: number
      readonly nextSeq: number
      readonly endsWithMark: boolean
    },
  ): SessionLog {
    const { file, size, nextSeq, endsWithMark } = log
    const sessionId = scope.id
    return new LogWriter({
      sessionId,
      file: new LogFile({ files, file, size, sessionId, assertHeld: lease.assertHeld }),
      lease,
      nextSeq,
      endsWithMark,
      syncs,
      settled: async () => {
        removeLossNote(scope)
        await lease.removeOlder().catch(() => undefined)
      },
    })
  }

  const failed = `the session store in ${root} failed`
  return {
    create: header => create(header).catch(rethrow(failed)),
    open: (id, force) => open(id, force).catch(rethrow(failed)),
    salvage: id =>
      Promise.resolve()
        .then(() => scopeOf(id))
        .then(scope => salvageLog(scope, locate(scope)))
        .catch(rethrow(failed)),
    read: id => translated(read(id), failed),
    list: () => translated(list(), failed),
  }
}

/** Whoever makes a session that is being made just now comes too late. */
async function leaseOfNew(scope: LeaseScope): Promise<Lease> {
  try {
    return await takeLease(scope, false)
  } catch (error) {
    throw error instanceof SessionLockedError ? new SessionExistsError(scope.id) : error
  }
}

/** Gives the lease up again when what it was taken for fails. */
async function holding<T>(lease: Lease, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await lease.release()
    throw error
  }
}

function rethrow(message: string): (error: unknown) => never {
  return error => {
    throw storeError(message, error)
  }
}

async function* translated<T>(items: AsyncGenerator<T>, message: string): AsyncGenerator<T> {
  try {
    yield* items
  } catch (error) {
    throw storeError(message, error)
  }
}
