import { posix } from 'node:path'
import { HarnessError } from '@agent-spine/schema'
import { defineTool, type Tool } from '@agent-spine/tools'
import { readConfinedFile, writeConfinedFile } from '../workspace/confined-file.js'
import { workspacePath, type Workspace } from '../workspace/confined-path.js'

const limitBytes = 4 * 1024 * 1024

/** Replaces one piece of text. Edits of different files overlap, edits of one file do not. */
export function editFile(workspace: Workspace): Tool {
  return defineTool({
    name: 'edit_file',
    description:
      'Replaces one piece of text in a file of the workspace. "before" must occur in the file exactly once. Edits of ' +
      'different files may be asked for in one step.',
    parameters: {
      path: { type: 'string', required: true, description: 'Relative to the workspace.' },
      before: { type: 'string', required: true },
      after: { type: 'string', required: true },
    },
    output: { type: 'string' },
    isConcurrencySafe: () => true,
    conflictKey: ({ path }) => `file:${posix.normalize(path)}`,
    presentCall: ({ path, before, after }) => ({ kind: 'diff', path, before, after }),
    execute: async ({ path, before, after }, { signal }) => {
      const { bytes, sizeBytes } = await readConfinedFile(workspace, path, limitBytes)
      if (sizeBytes > limitBytes)
        throw editRefused(`expected a file of at most ${limitBytes} bytes, found ${sizeBytes}`)
      const text = decode(bytes, path)
      const count = before === '' ? 0 : text.split(before).length - 1
      if (count !== 1) {
        throw editRefused(
          `expected "before" exactly once in ${path}, found it ${count} times. Read the file and give more of it`,
        )
      }
      signal.throwIfAborted()
      // A replacer function, because a replacement string would give "$&" a meaning.
      const file = await writeConfinedFile(
        workspace,
        path,
        text.replace(before, () => after),
      )
      return `Edited ${workspacePath(workspace, file)}.`
    },
  })
}

/** Text that is not UTF-8 would come back changed where nobody edited it. */
function decode(bytes: Buffer, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw editRefused(`expected a UTF-8 text in ${path}, found other bytes`)
  }
}

function editRefused(message: string): HarnessError {
  return new HarnessError('EDIT_REFUSED', message)
}
