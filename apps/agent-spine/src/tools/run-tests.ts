import { defineTool, type Tool } from '@agent-spine/tools'
import { confinedDirectory } from '../workspace/confined-directory.js'
import { type Workspace } from '../workspace/confined-path.js'
import { directoryName } from './directory-name.js'
import { type CommandOutcome, type ProcessGroups } from './process-groups.js'
import { readTestCounts } from './test-counts.js'
import { testOutcomeSpec, type TestOutcome } from './test-outcome.js'
import { commandText, testCommand } from './test-runner.js'

const outputLength = 4_000
const timeLimitMs = 10 * 60_000

/** Runs the real tests of one directory in a child process. Calls overlap. */
export function runTests(workspace: Workspace, groups: ProcessGroups): Tool {
  return defineTool({
    name: 'run_tests',
    description:
      'Runs the tests of one directory of the workspace with its own test script, or with the Node.js test runner, and ' +
      'returns what really happened as JSON. Repeating it is safe. Calls for different directories run at the same time.',
    parameters: {
      directory: {
        type: 'string',
        required: true,
        description: 'Relative to the workspace, for example "packages/parser".',
      },
    },
    output: testOutcomeSpec,
    timeoutMs: timeLimitMs,
    isConcurrencySafe: () => true,
    conflictKey: ({ directory }) => `tests:${directoryName(directory)}`,
    presentCall: ({ directory }) => ({ kind: 'terminal', command: 'run tests', directory }),
    execute: async ({ directory }, { signal }) => {
      const command = await testCommand(await confinedDirectory(workspace, directory))
      const outcome = await groups.run(command, signal)
      return testOutcome(directoryName(directory), commandText(command), outcome)
    },
  })
}

function testOutcome(directory: string, command: string, ran: CommandOutcome): TestOutcome {
  const counts = readTestCounts(ran.output)
  // The counts win over an exit code of 0: a script may swallow the runner's own (`… || true`, `… | tee log`).
  const hasFailed = ran.exitCode !== 0 || (counts !== undefined && counts.failed > 0)
  const foundNone = counts !== undefined && counts.passed + counts.failed + counts.skipped === 0
  return {
    directory,
    outcome: hasFailed ? 'failed' : foundNone ? 'no-tests' : 'passed',
    command,
    exitCode: ran.exitCode,
    ...(ran.endedBy !== undefined && { endedBy: ran.endedBy }),
    ...counts,
    durationMs: ran.durationMs,
    output: ran.output.slice(-outputLength).toWellFormed(),
  }
}
