import { HarnessError } from '@agent-spine/schema'
import { defineTool, type Tool } from '@agent-spine/tools'
import { workspacePath, type Workspace } from '../workspace/confined-path.js'
import { writeConfinedFile } from '../workspace/confined-file.js'
import { directoryName } from './directory-name.js'
import { composeReport, type TestRun } from './test-report.js'

export const defaultReportPath = 'report.md'

/** Answers what the session knows about test runs, by directory, at the moment it is asked. */
export type TestRunSource = () => ReadonlyMap<string, TestRun>

/**
 * Writes a report about test runs. It is exclusive, so every `run_tests` call asked for before it, in the same step too,
 * has its result in the log when its body runs: the report is composed from those results, not from what a model says.
 */
export function writeReport(workspace: Workspace, testRuns: TestRunSource): Tool {
  return defineTool({
    name: 'write_report',
    description:
      'Writes the outcome of test runs to a file of the workspace, replacing it as a whole. The report is composed from the ' +
      'real results of the run_tests calls made before it; it may be asked for in the same step as they are. Give ' +
      '"content" instead of "directories" to write a text of your own.',
    parameters: {
      path: { type: 'string', description: `Relative to the workspace. Default ${defaultReportPath}.` },
      directories: {
        type: 'array',
        items: { type: 'string' },
        description: 'The directories to report on, in order, as they were given to run_tests.',
      },
      content: { type: 'string', description: 'The whole text to write.' },
    },
    output: { type: 'string' },
    execute: async ({ path = defaultReportPath, directories, content }, { signal }) => {
      const text = reportText(testRuns(), directories, content)
      signal.throwIfAborted()
      const file = await writeConfinedFile(workspace, path, text)
      return `Wrote ${workspacePath(workspace, file)} (${Buffer.byteLength(text)} bytes).`
    },
  })
}

function reportText(
  runs: ReadonlyMap<string, TestRun>,
  directories: readonly string[] | undefined,
  content: string | undefined,
): string {
  if ((directories === undefined) === (content === undefined)) {
    throw new HarnessError(
      'INVALID_REPORT',
      'expected either "directories" or "content", found both or neither. Give one',
    )
  }
  if (content !== undefined) return content
  const names = [...new Set(directories?.map(directoryName))]
  return composeReport(names.map(name => runs.get(name) ?? neverRun(name)))
}

function neverRun(directory: string): never {
  throw new HarnessError(
    'NO_TEST_RUN',
    `expected a run_tests result for every directory, found none for ${JSON.stringify(directory)}. Call run_tests for it first`,
  )
}
