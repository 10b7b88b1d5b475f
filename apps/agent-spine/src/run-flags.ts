import { type GuardMode } from '@agent-spine/invariant'
import { type AgentRunOptions } from './coding-agent.js'
import { usageError } from './command-error.js'

const guardModes: GuardMode[] = ['incremental', 'full']

/** The flags of every command that runs an agent. */
export const runFlags = {
  workspace: {
    type: 'string',
    valueHint: 'DIR',
    description: 'Directory to work in; the tools cannot leave it',
  },
  'max-parallel': {
    type: 'string',
    valueHint: 'N',
    default: '10',
    description: 'Calls that may run at once',
  },
  guard: {
    type: 'enum',
    options: guardModes,
    default: 'incremental',
    description: 'How every request is compared with the log before it leaves',
  },
  'allow-bash': { type: 'boolean', default: false, description: 'Run shell commands without asking' },
  yes: { type: 'boolean', alias: 'y', default: false, description: 'The same as --allow-bash' },
  json: { type: 'boolean', default: false, description: 'Print every event of the run as a line of JSON' },
} as const

/** The flags of every command that runs an agent, about the model that drives it. */
export const modelFlags = {
  model: {
    type: 'string',
    valueHint: 'PROVIDER:MODEL',
    description:
      'Which model answers (default: scripted, offline); "list" shows the providers and their keys',
  },
  'base-url': {
    type: 'string',
    valueHint: 'URL',
    description: 'Where the provider is; openai-compatible:MODEL, any server with chat completions, needs it',
  },
} as const

/** The values of {@link runFlags} that say how a run goes; a command may leave some out. */
export interface RunFlagValues {
  readonly 'max-parallel': string
  readonly guard: GuardMode
  readonly 'allow-bash'?: boolean
  readonly yes?: boolean
}

/** What the flags say. @throws CommandError `USAGE` */
export function runOptions(flags: RunFlagValues): AgentRunOptions {
  const maxParallel = Number(flags['max-parallel'])
  if (!Number.isSafeInteger(maxParallel) || maxParallel < 1) {
    throw usageError(
      `expected --max-parallel to be a whole number of at least 1, found ${JSON.stringify(flags['max-parallel'])}`,
      'for example --max-parallel 4',
    )
  }
  return { maxParallel, guard: flags.guard, allowBash: flags['allow-bash'] === true || flags.yes === true }
}
