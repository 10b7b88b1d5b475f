import { defineTool, type Tool } from '@agent-spine/tools'
import { readConfinedFile } from '../workspace/confined-file.js'
import { type Workspace } from '../workspace/confined-path.js'

const limitBytes = 48 * 1024

/** Reads a text file. Calls overlap. */
export function readFileTool(workspace: Workspace): Tool {
  return defineTool({
    name: 'read_file',
    description: 'Returns the text of a file of the workspace; of a long one, the first 48 KB.',
    parameters: { path: { type: 'string', required: true, description: 'Relative to the workspace.' } },
    output: { type: 'string' },
    isConcurrencySafe: () => true,
    execute: async ({ path }) => {
      const { bytes, sizeBytes } = await readConfinedFile(workspace, path, limitBytes)
      const text = bytes.toString('utf8')
      return sizeBytes <= limitBytes ? text : `${text}\n[cut: ${sizeBytes} bytes in all]`
    },
  })
}
