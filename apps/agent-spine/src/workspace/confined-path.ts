// Turns a path that a model wrote into one inside the workspace, or refuses it.
//
//   C1  The real place of what is named, every symbolic link followed, lies in the real workspace directory.
//   C2  A link whose target does not exist is refused: creating it would create the target, wherever that is.
//   C3  What is read, and the directory that is written to, is checked once more after it was opened, and then used through
//       what was opened (opened-place.ts): a link swapped in between leads nowhere.
import { lstat, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { HarnessError } from '@agent-spine/schema'

/** A directory that tools may not leave. */
export interface Workspace {
  /** Absolute, without symbolic links. */
  readonly root: string
}

/** Resolves a path of the model's, relative to the workspace. @throws HarnessError `PATH_OUTSIDE_WORKSPACE` */
export async function confinedPath({ root }: Workspace, path: string): Promise<string> {
  if (path.includes('\0')) throw outside(path, 'it holds a NUL character')
  const lexical = resolve(root, path)
  if (!contains(root, lexical)) throw outside(path, 'it leads out of the workspace')
  const real = await realPlace(lexical)
  if (real === undefined) throw outside(path, 'it goes through a symbolic link whose target does not exist')
  if (!contains(root, real)) throw outside(path, 'a symbolic link leads out of the workspace')
  return real
}

/** The path as the model may know it: relative to the workspace, with forward slashes. */
export function workspacePath({ root }: Workspace, absolute: string): string {
  return relative(root, absolute).split(sep).join('/') || '.'
}

/** Whether `path` is `root` or below it. Both absolute. */
export function contains(root: string, path: string): boolean {
  const way = relative(root, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** Where `path` really is; the part that does not exist yet is kept as it is. `undefined` for a dangling link. */
async function realPlace(path: string): Promise<string | undefined> {
  try {
    return await realpath(path)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  if (await exists(path)) return undefined
  const parent = await realPlace(dirname(path))
  return parent === undefined ? undefined : join(parent, basename(path))
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

export function outside(path: string, why: string): HarnessError {
  return new HarnessError(
    'PATH_OUTSIDE_WORKSPACE',
    `expected a path inside the workspace, found ${JSON.stringify(path)}: ${why}. Use a path relative to the workspace`,
  )
}
