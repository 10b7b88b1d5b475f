import { type Tool, type ToolHooks } from '@agent-spine/tools'
import { type Workspace } from '../workspace/confined-path.js'
import { bash } from './bash.js'
import { editFile } from './edit-file.js'
import { listFiles } from './list-files.js'
import { type ProcessGroups } from './process-groups.js'
import { readFileTool } from './read-file.js'
import { runTests } from './run-tests.js'
import { search } from './search.js'
import { writeReport, type TestRunSource } from './write-report.js'

/** What the tools work with. */
export interface CodingToolsOptions {
  readonly workspace: Workspace
  readonly groups: ProcessGroups
  readonly testRuns: TestRunSource
}

/** The tools of a coding agent, confined to one workspace. */
export function codingTools({ workspace, groups, testRuns }: CodingToolsOptions): readonly Tool[] {
  return [
    runTests(workspace, groups),
    writeReport(workspace, testRuns),
    readFileTool(workspace),
    listFiles(workspace),
    search(workspace),
    editFile(workspace),
    bash(workspace, groups),
  ]
}

const asksFirst = new Set(['bash'])

/** Sends calls that could reach beyond the workspace to the approver. */
export const askFirst: ToolHooks = {
  preExecute: ({ tool }) =>
    asksFirst.has(tool.name)
      ? { kind: 'ask', reason: 'a shell command is not confined to the workspace' }
      : { kind: 'allow' },
}
