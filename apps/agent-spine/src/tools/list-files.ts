import { defineTool, type Tool } from '@agent-spine/tools'
import { confinedDirectory } from '../workspace/confined-directory.js'
import { type Workspace } from '../workspace/confined-path.js'
import { walk, type WorkspaceEntry } from '../workspace/walk.js'

const limit = 2_000
const endings: Readonly<Record<WorkspaceEntry['kind'], string>> = {
  directory: '/',
  link: '@',
  file: '',
  other: '',
}

/** Lists what a directory holds. Calls overlap. */
export function listFiles(workspace: Workspace): Tool {
  return defineTool({
    name: 'list_files',
    description:
      'Lists files and directories (with a closing slash) below a directory of the workspace, one path a line. Links are ' +
      'listed with a closing @ and not followed. Leaves out node_modules and .git.',
    parameters: {
      directory: { type: 'string', description: 'Relative to the workspace. Default: the workspace itself.' },
      depth: { type: 'integer', description: 'How many levels to list. Default 4.' },
    },
    output: { type: 'string' },
    isConcurrencySafe: () => true,
    execute: async ({ directory = '.', depth = 4 }, { signal }) => {
      const lines: string[] = []
      for await (const { path, kind } of walk(await confinedDirectory(workspace, directory), depth)) {
        signal.throwIfAborted()
        if (lines.length === limit) {
          lines.push(`[cut after ${limit} entries]`)
          break
        }
        lines.push(path + endings[kind])
      }
      return lines.join('\n')
    },
  })
}
