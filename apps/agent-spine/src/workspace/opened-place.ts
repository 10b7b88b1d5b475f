// What was opened, not what its name says: between the check of a name and its use, a directory may become a link.
import { existsSync } from 'node:fs'
import { lstat, readlink, type FileHandle } from 'node:fs/promises'
import { confinedPath, contains, outside, type Workspace } from './confined-path.js'

const descriptors = '/proc/self/fd'
const hasDescriptors = existsSync(descriptors)

/** Holds C3: the opened file or directory lies in the workspace. @throws HarnessError `PATH_OUTSIDE_WORKSPACE` */
export async function assertOpenedInside(
  workspace: Workspace,
  path: string,
  handle: FileHandle,
): Promise<void> {
  if (hasDescriptors) {
    const place = await readlink(`${descriptors}/${handle.fd}`)
    if (!contains(workspace.root, place)) throw outside(path, 'a symbolic link leads out of the workspace')
    return
  }
  const [opened, named] = [await handle.stat(), await lstat(await confinedPath(workspace, path))]
  if (named.dev !== opened.dev || named.ino !== opened.ino) {
    throw outside(path, 'it was replaced while it was opened')
  }
}

/** A path to an opened directory that no rename can lead elsewhere; where the system has none, the name it was opened by. */
export function pathThrough(handle: FileHandle, name: string): string {
  return hasDescriptors ? `${descriptors}/${handle.fd}` : name
}
