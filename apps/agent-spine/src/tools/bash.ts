import { defineTool, type Tool } from '@agent-spine/tools'
import { type Workspace } from '../workspace/confined-path.js'
import { type ProcessGroups } from './process-groups.js'

const outputLength = 32_000

/** Runs a shell command in the workspace. A shell cannot be confined, so the command asks before each call. */
export function bash(workspace: Workspace, groups: ProcessGroups): Tool {
  return defineTool({
    name: 'bash',
    description:
      'Runs a command with bash in the workspace and returns its exit code and the end of its output. What it leaves running ' +
      'is ended. A person is asked first.',
    parameters: { command: { type: 'string', required: true } },
    output: { type: 'string' },
    timeoutMs: 10 * 60_000,
    presentCall: ({ command }) => ({ kind: 'terminal', command }),
    execute: async ({ command }, { signal }) => {
      const ran = await groups.run(
        { program: 'bash', args: ['-c', command], directory: workspace.root },
        signal,
      )
      const end =
        ran.endedBy === undefined ? `exit code ${ran.exitCode ?? 'unknown'}` : `ended by ${ran.endedBy}`
      return `${end}\n${ran.output.slice(-outputLength).toWellFormed()}`
    },
  })
}
