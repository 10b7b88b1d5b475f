import { command } from '../command.js'
import { driveRun } from '../drive-run.js'
import { listModels, listWord } from '../model/list-models.js'
import { modelFlags, runFlags, runOptions } from '../run-flags.js'
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
    ...modelFlags,
  },
  examples: [
    'agent-spine run',
    'agent-spine run "run all tests and write the outcome to report.md" --workspace ~/project',
    'agent-spine run --json "run the tests of directories api and web" --workspace . | jq -c .',
    'agent-spine run --model list',
    'OPENAI_API_KEY=… agent-spine run --model openai:gpt-5-mini "fix the failing test" --workspace .',
    'agent-spine run --model openai-compatible:qwen3 --base-url http://localhost:11434/v1',
  ],
  async run(args, environment) {
    if (args.model === listWord) return listModels(environment, args.json)
    return driveRun(environment, () => startSession(environment, args), {
      ...runOptions(args),
      json: args.json,
      prompt: args.prompt,
    })
  },
})
