import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { command } from '../command.js'
import { type CommandEnvironment } from '../command-environment.js'
import { type ExitCode } from '../command-error.js'
import { driveRun } from '../drive-run.js'
import { bodySpans, peakOverlap, waterfall } from '../output/waterfall.js'
import { runFlags, runOptions } from '../run-flags.js'
import { startSession, type OpenRun } from '../start-session.js'
import { defaultReportPath } from '../tools/write-report.js'
import { defaultPrompt } from './run.js'

export const demoCommand = command({
  name: 'demo',
  description: 'Run the sample: three test runs at once, then their report',
  args: { 'max-parallel': runFlags['max-parallel'], guard: runFlags.guard },
  examples: ['agent-spine demo', 'agent-spine demo --max-parallel 1'],
  async run(args, environment): Promise<ExitCode> {
    const options = { ...runOptions(args), json: false, prompt: defaultPrompt }
    let opened: OpenRun | undefined
    const open = async () => (opened = await startSession(environment, { workspace: undefined }))
    const exitCode = await driveRun(environment, open, options)
    if (exitCode === 0 && opened !== undefined) await showOutcome(environment, opened)
    return exitCode
  },
})

async function showOutcome(
  { stdout, paint }: CommandEnvironment,
  { session, settings, target }: OpenRun,
): Promise<void> {
  const spans = bodySpans(session.events)
  const heading = (text: string) => `\n${paint.out('bold', text)}\n\n`
  stdout.write(heading(`When each call ran (${peakOverlap(spans)} at once)`) + waterfall(spans))
  const report = join(settings.workspace, defaultReportPath)
  stdout.write(heading(report) + (await readFile(report, 'utf8')))
  stdout.write(`${heading('The session')}${target.file}\n`)
}
