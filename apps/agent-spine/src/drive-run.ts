import { runAgent } from './agent-run.js'
import { type AgentRunOptions } from './coding-agent.js'
import { type CommandEnvironment } from './command-environment.js'
import { usageError, type ExitCode } from './command-error.js'
import { concludeRun } from './conclude-run.js'
import { describeError } from './describe-error.js'
import { jsonLine } from './output/output.js'
import { type RunSummary } from './output/run-event.js'
import { selectReporter } from './select-reporter.js'
import { type OpenRun } from './start-session.js'

export interface DriveOptions extends AgentRunOptions {
  readonly json: boolean
  readonly prompt: string
}

/** Opens a session, drives one prompt through it, and tells the person or the script how it ended. */
export async function driveRun(
  environment: CommandEnvironment,
  open: () => Promise<OpenRun>,
  { json, prompt, ...options }: DriveOptions,
): Promise<ExitCode> {
  const reporter = selectReporter(environment, json)
  let run: OpenRun | undefined
  try {
    assertPrompt(prompt)
    run = await open()
    const summary = await runAgent({ ...run, environment, reporter, options }, prompt)
    reporter.end()
    concludeRun(environment, summary, json)
    return summary.exitCode
  } catch (error) {
    reporter.end()
    if (json) environment.stdout.write(jsonLine(failedSummary(error, run)))
    throw error
  } finally {
    await run?.session.close().catch(() => undefined)
  }
}

/** Before there is a session: nothing is left behind for a prompt that says nothing. */
function assertPrompt(prompt: string): void {
  if (prompt.trim() !== '') return
  throw usageError(
    `expected PROMPT to say something, found ${JSON.stringify(prompt)}`,
    'say what to do, in quotes: agent-spine run "list files"',
  )
}

/** The last line of a run that could not go to its end. */
export function failedSummary(error: unknown, run: OpenRun | undefined): RunSummary {
  const { code, message, hint, exitCode } = describeError(error)
  const place = run && { session: run.target.id, file: run.target.file }
  return {
    type: 'summary',
    ok: false,
    exitCode,
    ...place,
    code,
    message,
    ...(hint !== undefined && { hint }),
  }
}
