import { parseArgs, type ParseArgsConfig } from 'node:util'
import { type ArgsDef } from 'citty'
import { usageError } from './command-error.js'

/**
 * Refuses what citty would let pass: unknown flags, flags without their value, more words than the command takes, missing
 * words, values outside a list. @throws CommandError `USAGE`
 */
export function checkArguments(rawArgs: readonly string[], args: ArgsDef, help: string): void {
  const hint = `see "${help}"`
  const { values, positionals } = parse(rawArgs, args, hint)
  const words = Object.entries(args).filter(([, { type }]) => type === 'positional')
  const surplus = positionals[words.length]
  if (surplus !== undefined) {
    throw usageError(
      `expected ${words.length === 0 ? 'no words' : `at most ${words.length} word${words.length === 1 ? '' : 's'}`} beside the flags, found ${JSON.stringify(surplus)} too`,
      `put a text of several words in quotes; ${hint}`,
    )
  }
  for (const [index, [name, { required, default: fallback }]] of words.entries()) {
    if (required !== false && fallback === undefined && positionals[index] === undefined) {
      throw usageError(`expected ${name.toUpperCase()}, found nothing`, hint)
    }
  }
  for (const [name, definition] of Object.entries(args)) {
    const value = values[name]
    const options = definition.type === 'enum' ? (definition.options ?? []) : []
    if (definition.type === 'enum' && value !== undefined && !options.includes(String(value))) {
      throw usageError(
        `expected --${name} to be ${options.join(' or ')}, found ${JSON.stringify(value)}`,
        hint,
      )
    }
  }
}

/** `--flag -1` as `--flag=-1`: a parser takes a lone `-1` for a flag, and would not say what is wrong with the number. */
export function joinNegativeNumbers(rawArgs: readonly string[], args: ArgsDef): string[] {
  const joined: string[] = []
  for (const [index, argument] of rawArgs.entries()) {
    const flag = rawArgs[index - 1] ?? ''
    const isValue = /^-\d/.test(argument) && flag.startsWith('--') && args[flag.slice(2)]?.type === 'string'
    if (isValue && !rawArgs.slice(0, index).includes('--')) joined.splice(-1, 1, `${flag}=${argument}`)
    else joined.push(argument)
  }
  return joined
}

function parse(rawArgs: readonly string[], args: ArgsDef, hint: string) {
  try {
    return parseArgs({ args: [...rawArgs], options: optionsOf(args), allowPositionals: true, strict: true })
  } catch (error) {
    throw usageError(error instanceof Error ? firstSentence(error.message) : String(error), hint)
  }
}

function optionsOf(args: ArgsDef): NonNullable<ParseArgsConfig['options']> {
  const flags = Object.entries(args).filter(([, { type }]) => type !== 'positional')
  return Object.fromEntries(
    flags.map(([name, definition]) => {
      const aliases = 'alias' in definition ? [definition.alias ?? []].flat() : []
      const short = aliases.find(alias => alias.length === 1)
      const type = definition.type === 'boolean' ? ('boolean' as const) : ('string' as const)
      return [name, { type, ...(short !== undefined && { short }) }]
    }),
  )
}

/** Node's advice after the first sentence is about quoting and `--`, which the hint covers. */
function firstSentence(message: string): string {
  return message.split(/\. |\n/)[0] ?? message
}
