import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { command } from '../command.js'
import { type CommandEnvironment } from '../command-environment.js'
import { type ExitCode } from '../command-error.js'
import { driveRun } from '../drive-run.js'
import { listModels, listWord } from '../model/list-models.js'
import { bodySpans, peakOverlap, waterfall } from '../output/waterfall.js'
import { modelFlags, runFlags, runOptions } from '../run-flags.js'
import { startSession, type OpenRun } from '../start-session.js'
import { defaultReportPath } from '../tools/write-report.js'
import { defaultPrompt } from './run.js'

export const demoCommand = command({
  name: 'demo',
  description: 'Run the sample: three test runs at once, then their report',
  args: { 'max-parallel': runFlags['max-parallel'], guard: runFlags.guard, ...modelFlags },
  examples: [
    'agent-spine demo',
    'agent-spine demo --max-parallel 1',
    'agent-spine demo --model google:gemini-2.5-flash',
  ],
  async run(args, environment): Promise<ExitCode> {
    if (args.model === listWord) return listModels(environment, false)
    const options = { ...runOptions(args), json: false, prompt: defaultPrompt }
    let opened: OpenRun | undefined
    const open = async () =>
      (opened = await startSession(environment, { model: args.model, 'base-url': args['base-url'] }))
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
  stdout.write(heading(report) + (await readFile(report, 'utf8').catch(() => 'The model wrote none.\n')))
  stdout.write(`${heading('The session')}${target.file}\n`)
}
