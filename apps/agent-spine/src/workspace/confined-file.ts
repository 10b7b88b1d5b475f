import { constants, type Stats } from 'node:fs'
import { lstat, open, rename, unlink, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { HarnessError } from '@agent-spine/schema'
import { confinedPath, outside, type Workspace } from './confined-path.js'

/** The start of a regular file, and how long the whole is. */
export interface FileStart {
  readonly bytes: Buffer
  readonly sizeBytes: number
}

/** Reads up to `limitBytes` of a regular file inside the workspace. */
export async function readConfinedFile(
  workspace: Workspace,
  path: string,
  limitBytes: number,
): Promise<FileStart> {
  const file = await confinedPath(workspace, path)
  // Without O_NONBLOCK, opening a named pipe would wait for a writer.
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const opened = await handle.stat()
    if (!opened.isFile()) throw notAFile(path)
    await assertSamePlace(workspace, path, opened)
    const buffer = Buffer.alloc(Math.min(opened.size, limitBytes))
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0)
    return { bytes: buffer.subarray(0, bytesRead), sizeBytes: opened.size }
  } finally {
    await handle.close()
  }
}

/**
 * Writes a whole file inside the workspace: temporary file, fsync, rename, fsync of the directory. A reader sees the
 * old text or the new one, whatever happens. The directory must exist. Follows no link: a link at `path` that stays
 * inside the workspace has its target replaced.
 */
export async function writeConfinedFile(workspace: Workspace, path: string, text: string): Promise<string> {
  const file = await confinedPath(workspace, path)
  const mode = await modeOf(file, path)
  const temporary = join(dirname(file), `.agent-spine-${crypto.randomUUID()}.tmp`)
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const handle = await open(temporary, flags, 0o666)
  try {
    await assertSamePlace(workspace, temporary, await handle.stat())
    if (mode !== undefined) await handle.chmod(mode)
    await handle.writeFile(text)
    await handle.sync()
    await rename(temporary, file)
  } catch (error) {
    await unlink(temporary).catch(() => undefined)
    throw error
  } finally {
    await handle.close()
  }
  await syncDirectory(dirname(file))
  return file
}

/** The permissions of the file to be replaced; `undefined` when there is none. */
async function modeOf(file: string, path: string): Promise<number | undefined> {
  const present = await lstat(file).catch(() => undefined)
  if (present !== undefined && !present.isFile()) throw notAFile(path)
  return present && present.mode & 0o777
}

/** Holds C3: `path` still names, inside the workspace, what was opened. */
async function assertSamePlace(workspace: Workspace, path: string, opened: Stats): Promise<void> {
  const named = await lstat(await confinedPath(workspace, path))
  if (named.dev !== opened.dev || named.ino !== opened.ino)
    throw outside(path, 'it was replaced while it was opened')
}

async function syncDirectory(directory: string): Promise<void> {
  let handle: FileHandle | undefined
  try {
    handle = await open(directory, constants.O_RDONLY)
    await handle.sync()
  } catch {
    // Some file systems cannot sync a directory; the file itself is synced.
  } finally {
    await handle?.close()
  }
}

function notAFile(path: string): HarnessError {
  return new HarnessError(
    'NOT_A_FILE',
    `expected a regular file, found something else at ${JSON.stringify(path)}`,
  )
}
