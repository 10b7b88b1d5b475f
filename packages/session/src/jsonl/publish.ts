import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { errorCode, type FileLayer } from './file-layer.js'

/**
 * Makes files that are complete from the first moment they have their name, whatever dies when: a temporary file is
 * written and fsynced, then named, then the directory is synced.
 */

/** A name that nobody else uses. */
export function uniqueName(prefix: string): string {
  return prefix + randomBytes(8).toString('hex')
}

/** Publishes a new file of what `write` writes. Returns `false` when the name is taken. */
export async function publishNew(
  files: FileLayer,
  path: { readonly directory: string; readonly name: string },
  write: (file: number) => void | Promise<void>,
): Promise<boolean> {
  const temporary = join(path.directory, uniqueName('.tmp-'))
  try {
    await writeWhole(files, temporary, write)
    if (!files.link(temporary, join(path.directory, path.name))) return false
    await files.syncDirectory(path.directory)
    return true
  } finally {
    removeQuietly(files, temporary)
  }
}

/** Publishes a file in place of whatever had its name. */
export async function publishInstead(
  files: FileLayer,
  path: { readonly directory: string; readonly name: string },
  text: string,
): Promise<void> {
  const temporary = join(path.directory, uniqueName('.tmp-'))
  try {
    await writeWhole(files, temporary, file => writeAll(files, file, Buffer.from(text)))
    files.rename(temporary, join(path.directory, path.name))
    await files.syncDirectory(path.directory)
  } finally {
    removeQuietly(files, temporary)
  }
}

/** Writes every byte, or throws. */
export function writeAll(files: FileLayer, file: number, bytes: Buffer): void {
  const written = files.write(file, bytes)
  if (written < bytes.length) throw new Error(`only ${written} of ${bytes.length} bytes were written`)
}

/** Copies the bytes from `start` to `end` of one open file to the end of another. */
export async function copyBytes(
  files: FileLayer,
  ends: { readonly from: number; readonly to: number },
  { start, end }: { readonly start: number; readonly end: number },
): Promise<void> {
  for (let position = start; position < end;) {
    const piece = Buffer.allocUnsafe(Math.min(end - position, 1024 * 1024))
    const count = await files.read(ends.from, piece, position)
    if (count === 0) throw new Error(`the file ends at byte ${position}, before byte ${end}`)
    writeAll(files, ends.to, piece.subarray(0, count))
    position += count
  }
}

/** Reads a whole small file as text; nothing when there is none. */
export async function readSmall(files: FileLayer, path: string): Promise<string | undefined> {
  let file: number
  try {
    file = files.open(path, 'read')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
  try {
    const bytes = Buffer.alloc(4096)
    return bytes.toString('utf8', 0, await files.read(file, bytes, 0))
  } finally {
    files.close(file)
  }
}

/** Removes a file that only wastes space: that it stays is no reason to fail. */
export function removeQuietly(files: FileLayer, path: string): void {
  try {
    files.remove(path)
  } catch {
    // It is found and ignored as long as it lies there.
  }
}

async function writeWhole(
  files: FileLayer,
  path: string,
  write: (file: number) => void | Promise<void>,
): Promise<void> {
  const file = files.open(path, 'create')
  try {
    await write(file)
    await files.sync(file)
  } finally {
    files.close(file)
  }
}
