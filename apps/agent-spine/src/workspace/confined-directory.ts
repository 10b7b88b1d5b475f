import { stat } from 'node:fs/promises'
import { HarnessError } from '@agent-spine/schema'
import { confinedPath, type Workspace } from './confined-path.js'

/** The real path of a directory inside the workspace. @throws HarnessError `DIRECTORY_NOT_FOUND` */
export async function confinedDirectory(workspace: Workspace, path: string): Promise<string> {
  const directory = await confinedPath(workspace, path)
  const present = await stat(directory).catch(() => undefined)
  if (present?.isDirectory() === true) return directory
  throw new HarnessError(
    'DIRECTORY_NOT_FOUND',
    `expected a directory, found ${present === undefined ? 'nothing' : 'a file'} at ${JSON.stringify(path)}. list_files shows what there is`,
  )
}
