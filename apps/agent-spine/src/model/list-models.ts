import { type CommandEnvironment } from '../command-environment.js'
import { type ExitCode } from '../command-error.js'
import { jsonLine } from '../output/output.js'
import { keyVariable } from './model-key.js'
import { defaultModel } from './model-name.js'
import { modelProviders } from './model-providers.js'

/** What `--model` takes to show the providers. */
export const listWord = 'list'

/** Prints the providers, which variable each needs, and whether it is set; never what it holds. */
export function listModels({ stdout, variables }: CommandEnvironment, json: boolean): ExitCode {
  const entries = modelProviders.map(provider => ({
    provider: provider.name,
    variables: provider.variables,
    needsKey: provider.needsKey,
    keyFrom: keyVariable(provider, variables) ?? null,
    baseUrl: provider.url ?? null,
    example: `--model ${provider.example}`,
  }))
  if (json) {
    for (const entry of entries) stdout.write(jsonLine(entry))
    return 0
  }
  const column = Math.max(...entries.map(({ provider }) => provider.length)) + 2
  stdout.write(`${defaultModel.padEnd(column)}needs no key, works offline (the default)\n`)
  for (const { provider, variables: names, needsKey, keyFrom, example } of entries) {
    const key = keyFrom === null ? (needsKey ? 'not set' : 'not set, optional') : 'set'
    stdout.write(
      `${provider.padEnd(column)}${keyFrom ?? names.join(' or ')}: ${key}\n${' '.repeat(column)}${example}\n`,
    )
  }
  return 0
}
