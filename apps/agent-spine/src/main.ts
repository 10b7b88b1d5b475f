import { readFile } from 'node:fs/promises'
import { commandName, type Command } from './command.js'
import { type CommandEnvironment } from './command-environment.js'
import { usageError, type ExitCode } from './command-error.js'
import { chatCommand } from './commands/chat.js'
import { deathsCommand } from './commands/deaths.js'
import { demoCommand } from './commands/demo.js'
import { logCommand } from './commands/log.js'
import { repairCommand } from './commands/repair.js'
import { resumeCommand } from './commands/resume.js'
import { runCommand } from './commands/run.js'
import { sessionsCommand } from './commands/sessions.js'
import { traceCommand } from './commands/trace.js'
import { verifyCommand } from './commands/verify.js'
import { viewCommand } from './commands/view.js'
import { describeError, errorText } from './describe-error.js'
import { failedSummary } from './drive-run.js'
import { jsonLine } from './output/output.js'
import { packageFile } from './package-file.js'

const commands: readonly Command[] = [
  demoCommand,
  runCommand,
  chatCommand,
  resumeCommand,
  sessionsCommand,
  logCommand,
  viewCommand,
  traceCommand,
  verifyCommand,
  repairCommand,
  deathsCommand,
]

/** Runs one command line. Resolves with the exit code, whatever happens. */
export async function main(argv: readonly string[], environment: CommandEnvironment): Promise<ExitCode> {
  try {
    return await dispatch(argv, environment)
  } catch (error) {
    const described = describeError(error)
    if (asksForJson(argv) && !environment.stdout.isUsed) environment.stdout.write(failureLine(argv, error))
    environment.stderr.write(errorText(described, environment.paint.talk))
    if (environment.variables['AGENT_SPINE_DEBUG'] && error instanceof Error) {
      environment.stderr.write(`${error.stack ?? ''}\n`)
    }
    return described.exitCode
  }
}

/** A script that asked for JSON gets JSON, also where the command did not come far enough to print any. */
function failureLine([name = '']: readonly string[], error: unknown): string {
  const summary = failedSummary(error, undefined)
  return jsonLine(endsWithSummary.has(name) ? summary : { ...summary, type: 'error' })
}

const endsWithSummary: ReadonlySet<string> = new Set(['run', 'chat', 'resume'])

async function dispatch(
  [name, ...rest]: readonly string[],
  environment: CommandEnvironment,
): Promise<ExitCode> {
  const { stdout, stderr } = environment
  if (name === undefined) {
    stderr.write(overview())
    return 2
  }
  if (name === '--version' || name === '-v') {
    stdout.write(`${await version()}\n`)
    return 0
  }
  if (isHelp(name) || name === 'help') {
    const about = rest[0] === undefined ? undefined : find(rest[0])
    stdout.write(about === undefined ? overview() : await about.usage())
    return 0
  }
  const command = find(name)
  if (wantsHelp(rest)) {
    stdout.write(await command.usage())
    return 0
  }
  return command.invoke(rest, environment)
}

function find(name: string): Command {
  const command = commands.find(candidate => candidate.name === name)
  if (command !== undefined) return command
  const names = commands.map(candidate => candidate.name).join(', ')
  throw usageError(
    `expected a command, found ${JSON.stringify(name)}`,
    `the commands are ${names}; see "${commandName} --help"`,
  )
}

function wantsHelp(args: readonly string[]): boolean {
  return flagsOf(args).some(isHelp)
}

function asksForJson(args: readonly string[]): boolean {
  return flagsOf(args).includes('--json')
}

function flagsOf(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--')
  return end === -1 ? args : args.slice(0, end)
}

function isHelp(argument: string): boolean {
  return argument === '--help' || argument === '-h'
}

function overview(): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  const rows = commands.map(({ name, description }) => `  ${name.padEnd(width)}  ${description}\n`)
  return [
    `${commandName}: run an agent, cancel it, crash it, resume it, and see what its log holds\n\n`,
    `USAGE ${commandName} <command> [options]\n\n`,
    ...rows,
    `\nEXAMPLES\n\n`,
    `  ${commandName} demo\n`,
    `  ${commandName} run "run all tests and write the outcome to report.md" --workspace .\n\n`,
    `Every command has --help. Sessions are kept in $AGENT_SPINE_HOME, or in ./.agent-spine.\n`,
    'Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted.\n',
  ].join('')
}

async function version(): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(packageFile('package.json'), 'utf8'))
  return (manifest as { readonly version: string }).version
}
