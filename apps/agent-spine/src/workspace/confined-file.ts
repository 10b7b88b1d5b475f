import { constants } from 'node:fs'
import { lstat, open, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { HarnessError } from '@agent-spine/schema'
import { confinedPath, type Workspace } from './confined-path.js'
import { assertOpenedInside, pathThrough } from './opened-place.js'

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
    await assertOpenedInside(workspace, path, handle)
    const facts = await handle.stat()
    if (!facts.isFile()) throw notAFile(path)
    const buffer = Buffer.alloc(Math.min(facts.size, limitBytes))
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0)
    return { bytes: buffer.subarray(0, bytesRead), sizeBytes: facts.size }
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
  const directory = await open(
    dirname(file),
    constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW,
  )
  try {
    await assertOpenedInside(workspace, dirname(path), directory)
    const place = pathThrough(directory, dirname(file))
    await replaceFile(place, { name: basename(file), text, path })
    // Some file systems cannot sync a directory; the file itself is synced.
    await directory.sync().catch(() => undefined)
  } finally {
    await directory.close()
  }
  return file
}

async function replaceFile(
  place: string,
  { name, text, path }: { readonly name: string; readonly text: string; readonly path: string },
): Promise<void> {
  const target = join(place, name)
  const mode = await modeOf(target, path)
  const temporary = join(place, `.agent-spine-${crypto.randomUUID()}.tmp`)
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const handle = await open(temporary, flags, 0o666)
  try {
    if (mode !== undefined) await handle.chmod(mode)
    await handle.writeFile(text)
    await handle.sync()
    await rename(temporary, target)
  } catch (error) {
    await unlink(temporary).catch(() => undefined)
    throw error
  } finally {
    await handle.close()
  }
}

/** The permissions of the file to be replaced; `undefined` when there is none. */
async function modeOf(file: string, path: string): Promise<number | undefined> {
  const present = await lstat(file).catch(() => undefined)
  if (present !== undefined && !present.isFile()) throw notAFile(path)
  return present && present.mode & 0o777
}

function notAFile(path: string): HarnessError {
  return new HarnessError(
    'NOT_A_FILE',
    `expected a regular file, found something else at ${JSON.stringify(path)}`,
  )
}
