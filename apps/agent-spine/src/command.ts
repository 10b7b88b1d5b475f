import { stripVTControlCharacters } from 'node:util'
import { defineCommand, renderUsage, runCommand, type ArgsDef, type ParsedArgs } from 'citty'
import { checkArguments, joinNegativeNumbers } from './check-arguments.js'
import { type CommandEnvironment } from './command-environment.js'
import { type ExitCode } from './command-error.js'

/** What a command is called, what it takes and what it does. */
export interface CommandDefinition<Args extends ArgsDef> {
  readonly name: string
  readonly description: string
  readonly args: Args
  /** Invocations that work, for `--help`. */
  readonly examples: readonly string[]
  run(args: ParsedArgs<Args>, environment: CommandEnvironment): Promise<ExitCode>
}

/** A command with the types of its arguments erased, so that different commands fit one list. */
export interface Command {
  readonly name: string
  readonly description: string
  usage(): Promise<string>
  invoke(rawArgs: readonly string[], environment: CommandEnvironment): Promise<ExitCode>
}

export const commandName = 'agent-spine'

export function command<const Args extends ArgsDef>(definition: CommandDefinition<Args>): Command {
  const { name, description, args, examples } = definition
  return {
    name,
    description,
    async usage() {
      const text = await renderUsage(defineCommand({ meta: { name, description }, args }), {
        meta: { name: commandName },
      })
      return `${plain(text)}\n\nEXAMPLES\n\n${examples.map(example => `  ${example}\n`).join('')}`
    },
    async invoke(givenArgs, environment) {
      const rawArgs = joinNegativeNumbers(givenArgs, args)
      checkArguments(rawArgs, args, `${commandName} ${name} --help`)
      let exitCode: ExitCode = 0
      const cittyCommand = defineCommand({
        args,
        run: async context => {
          exitCode = await definition.run(context.args, environment)
        },
      })
      await runCommand(cittyCommand, { rawArgs })
      return exitCode
    },
  }
}

/** citty pads its columns, says of every switch that it is off, and colours all of it whatever it is printed to. */
function plain(usage: string): string {
  const text = stripVTControlCharacters(usage).replaceAll(' (Default: false)', '')
  return text.replace(/[ \t]+$/gm, '').trimEnd()
}
