import { posix } from 'node:path'
import { defineTool, type Tool } from '@agent-spine/tools'
import { confinedDirectory } from '../workspace/confined-directory.js'
import { readConfinedFile } from '../workspace/confined-file.js'
import { workspacePath, type Workspace } from '../workspace/confined-path.js'
import { walk } from '../workspace/walk.js'

const matchLimit = 200
const lineLength = 200
const fileLimitBytes = 1024 * 1024

/** Finds a text in the files of the workspace. Calls overlap. */
export function search(workspace: Workspace): Tool {
  return defineTool({
    name: 'search',
    description:
      'Finds lines that contain a text, exactly as given, in the files of the workspace: "path:line: text".',
    parameters: {
      text: { type: 'string', required: true },
      directory: { type: 'string', description: 'Relative to the workspace. Default: the workspace itself.' },
      ignoreCase: { type: 'boolean' },
    },
    output: { type: 'string' },
    isConcurrencySafe: () => true,
    execute: async ({ text, directory = '.', ignoreCase = false }, { signal }) => {
      const root = await confinedDirectory(workspace, directory)
      const prefix = workspacePath(workspace, root)
      const matches: string[] = []
      for await (const { path, kind } of walk(root)) {
        signal.throwIfAborted()
        if (kind !== 'file') continue
        const name = posix.join(prefix, path)
        const { bytes } = await readConfinedFile(workspace, name, fileLimitBytes)
        if (bytes.includes(0)) continue
        for (const [index, line] of bytes.toString('utf8').split('\n').entries()) {
          if (!contains(line, text, ignoreCase)) continue
          if (matches.length === matchLimit)
            return [...matches, `[cut after ${matchLimit} matches]`].join('\n')
          matches.push(`${name}:${index + 1}: ${line.slice(0, lineLength).toWellFormed()}`)
        }
      }
      return matches.join('\n') || 'No matches.'
    },
  })
}

function contains(line: string, text: string, ignoreCase: boolean): boolean {
  return ignoreCase ? line.toLowerCase().includes(text.toLowerCase()) : line.includes(text)
}
