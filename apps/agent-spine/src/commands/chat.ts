import { chatFromLines } from '../chat/piped-chat.js'
import { chatOnTerminal } from '../chat/terminal-chat.js'
import { command } from '../command.js'
import { listModels, listWord } from '../model/list-models.js'
import { resumeSession } from '../resume-session.js'
import { modelFlags, runFlags, runOptions } from '../run-flags.js'
import { startSession } from '../start-session.js'

/** What `--session` takes to start a new one. */
const newWord = 'new'

export const chatCommand = command({
  name: 'chat',
  description: 'Talk to an agent while it works; piped, every line of stdin is one prompt',
  args: {
    session: {
      type: 'string',
      valueHint: 'ID',
      default: newWord,
      description: 'Session to go on with: its ID, its file, or "new"',
    },
    ...runFlags,
    workspace: {
      ...runFlags.workspace,
      description: `${runFlags.workspace.description} (default: the session's, or a fresh copy of the sample)`,
    },
    ...modelFlags,
  },
  examples: [
    'agent-spine chat',
    'agent-spine chat --session 20261130-154512-3f9a',
    'agent-spine chat --workspace ~/project --model anthropic:claude-sonnet-4-5',
    "printf 'list files\\nread README.md\\n' | agent-spine chat --json | jq -c .",
  ],
  async run({ session, ...args }, environment) {
    if (args.model === listWord) return listModels(environment, args.json)
    const options = runOptions(args)
    const open = () =>
      session === newWord
        ? startSession(environment, args)
        : resumeSession(environment, { ...args, id: session })
    return environment.canAsk && !args.json
      ? chatOnTerminal(environment, await open(), options)
      : chatFromLines(environment, open, { ...options, json: args.json })
  },
})
