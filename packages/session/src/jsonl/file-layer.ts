import {
  chmodSync,
  close,
  closeSync,
  constants,
  fstatSync,
  fsync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  read,
  readdirSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

/** What one look at a file tells about it. */
export interface FileFacts {
  readonly size: number
  /** How many names it has; 0 once it was deleted. */
  readonly links: number
  /** Tells two files apart that had the same name at different times. */
  readonly identity: string
  /** Milliseconds since 1970. */
  readonly modifiedAt: number
}

/**
 * Every file operation of the store, so that tests can make any of them fail. What must not be interleaved with other
 * work of this process is synchronous; what waits for a device is not.
 */
export interface FileLayer {
  makeDirectory(path: string): void
  /** File names in the directory; none when it does not exist. */
  names(directory: string): string[]
  /** `create` fails when the file exists; `append` writes at the end whatever the position. */
  open(path: string, use: 'read' | 'append' | 'create'): number
  close(file: number): void
  facts(file: number): FileFacts
  /** `undefined` when there is no such file. */
  factsAt(path: string): FileFacts | undefined
  read(file: number, into: Buffer, position: number): Promise<number>
  /** Returns how many bytes were written, which may be fewer. */
  write(file: number, bytes: Buffer): number
  truncate(file: number, size: number): void
  /** Resolves once what was written to the file survives power loss. */
  sync(file: number): Promise<void>
  /** The same for the names in a directory. */
  syncDirectory(path: string): Promise<void>
  /** Gives the file a second name. Returns `false` when the name is taken. */
  link(path: string, name: string): boolean
  /** Gives the file another name, in place of whatever had it. */
  rename(path: string, name: string): void
  /** A file that is gone already is no error. */
  remove(path: string): void
  /** Makes a file private to this user. */
  makePrivate(path: string): void
}

// Not 'a+', which would make a file that was deleted meanwhile.
const append = constants.O_RDWR | constants.O_APPEND
// Opening a pipe must not wait for somebody at its other end.
const flags = {
  read: constants.O_RDONLY | constants.O_NONBLOCK,
  append: append | constants.O_NONBLOCK,
  create: 'ax+',
} as const
const readAsync = promisify(read)
const fsyncAsync = promisify(fsync)
const closeAsync = promisify(close)

/** The file layer of the machine. */
export const machineFiles: FileLayer = {
  makeDirectory,
  names: directory => unless('ENOENT', () => readdirSync(directory)) ?? [],
  open(path, use) {
    const file = openSync(path, flags[use], 0o600)
    if (fstatSync(file).isFile()) return file
    closeSync(file)
    throw new Error(
      `expected a regular file at ${path}, found something else: move it out of the session directory`,
    )
  },
  close: file => closeSync(file),
  facts: file => describe(fstatSync(file)),
  factsAt: path => {
    const stats = statSync(path, { throwIfNoEntry: false })
    return stats && describe(stats)
  },
  read: async (file, into, position) => (await readAsync(file, into, 0, into.length, position)).bytesRead,
  write: (file, bytes) => writeSync(file, bytes),
  truncate: (file, size) => ftruncateSync(file, size),
  sync: file => fsyncAsync(file),
  syncDirectory: async path => {
    const directory = openSync(path, 'r')
    try {
      await fsyncAsync(directory)
    } finally {
      await closeAsync(directory)
    }
  },
  link: (path, name) =>
    unless('EEXIST', () => {
      linkSync(path, name)
      return true
    }) ?? false,
  rename: (path, name) => renameSync(path, name),
  remove: path => unless('ENOENT', () => unlinkSync(path)),
  makePrivate: path => chmodSync(path, 0o600),
}

/** With its parents. Not `recursive`, which tries without end where a parent takes no directories, as in /proc. */
function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (errorCode(error) === 'ENOENT' && dirname(path) !== path) {
      makeDirectory(dirname(path))
      mkdirSync(path, { mode: 0o700 })
    } else if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

/** The `code` of a failed file operation. */
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}

function unless<T>(code: string, operation: () => T): T | undefined {
  try {
    return operation()
  } catch (error) {
    if (errorCode(error) === code) return undefined
    throw error
  }
}

function describe(stats: { size: number; nlink: number; ino: number; mtimeMs: number }): FileFacts {
  const { size, nlink, ino, mtimeMs } = stats
  return { size, links: nlink, identity: `${ino}:${mtimeMs}`, modifiedAt: mtimeMs }
}
