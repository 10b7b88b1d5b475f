import { command } from '../command.js'
import { driveRun } from '../drive-run.js'
import { defaultModel } from '../model/select-model.js'
import { runFlags, runOptions } from '../run-flags.js'
import { startSession } from '../start-session.js'

export const defaultPrompt = 'run the tests of directories A, B and C and write the outcome to report.md'

export const runCommand = command({
  name: 'run',
  description: 'Give an agent one task in a directory',
  args: {
    prompt: { type: 'positional', default: defaultPrompt, description: 'The task' },
    ...runFlags,
    workspace: {
      ...runFlags.workspace,
      description: `${runFlags.workspace.description} (default: a fresh copy of the sample)`,
    },
    model: { type: 'string', valueHint: 'NAME', default: defaultModel, description: 'Which model answers' },
  },
  examples: [
    'agent-spine run',
    'agent-spine run "run all tests and write the outcome to report.md" --workspace ~/project',
    'agent-spine run --json "run the tests of directories api and web" --workspace . | jq -c .',
  ],
  run: (args, environment) =>
    driveRun(environment, () => startSession(environment, args), {
      ...runOptions(args),
      json: args.json,
      prompt: args.prompt,
    }),
})
