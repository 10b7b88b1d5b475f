import { CommandError } from '../command-error.js'
import { modelProviders, type ModelProvider } from './model-providers.js'

/** The variable that holds a provider's key, if one does. */
export function keyVariable(
  { variables }: ModelProvider,
  environment: NodeJS.ProcessEnv,
): string | undefined {
  return variables.find(name => environment[name]?.trim())
}

/**
 * A provider's key; `undefined` where it needs none and none is set.
 *
 * @throws CommandError `MODEL_KEY_MISSING` or `MODEL_KEY_INVALID`; neither says what the variable holds
 */
export function modelKey(provider: ModelProvider, environment: NodeJS.ProcessEnv): string | undefined {
  const variable = keyVariable(provider, environment)
  const key = variable && environment[variable]?.trim()
  if (key) {
    // What fails below would quote the header, key and all.
    if (/^[\x21-\x7e]+$/.test(key)) return key
    throw new CommandError(
      'MODEL_KEY_INVALID',
      `expected the key in ${variable} to be of visible ASCII characters, found others`,
      {
        hint: 'set it again, without quotes, spaces or line breaks',
        exitCode: 2,
      },
    )
  }
  if (!provider.needsKey) return undefined
  throw new CommandError(
    'MODEL_KEY_MISSING',
    `expected the key for ${provider.name} in the environment, found no ${provider.variables.join(' or ')}`,
    {
      hint: `export ${provider.variables[0] ?? ''}=…, or leave --model out for the scripted model, which needs none`,
      exitCode: 2,
    },
  )
}

const allVariables = new Set(modelProviders.flatMap(({ variables }) => variables))

/** An environment for commands that a model may run and whose output it reads: without the keys of providers. */
export function withoutModelKeys(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !allVariables.has(name)))
}
