import { realpath, stat } from 'node:fs/promises'
import { CommandError } from '../command-error.js'
import { type Workspace } from './confined-path.js'

/** The directory a person named as the workspace. @throws CommandError `WORKSPACE_NOT_FOUND` */
export async function openWorkspace(directory: string): Promise<Workspace> {
  try {
    const root = await realpath(directory)
    if ((await stat(root)).isDirectory()) return { root }
  } catch (error) {
    throw notFound(directory, error)
  }
  throw notFound(directory, undefined)
}

function notFound(directory: string, cause: unknown): CommandError {
  return new CommandError(
    'WORKSPACE_NOT_FOUND',
    `expected a directory to work in, found ${cause === undefined ? 'something else' : 'nothing that can be opened'} at ${directory}`,
    { hint: 'name an existing directory with --workspace DIR', exitCode: 2, cause },
  )
}
