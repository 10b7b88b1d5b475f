import { command } from '../command.js'
import { type CommandEnvironment } from '../command-environment.js'
import { CommandError } from '../command-error.js'
import { driveRun } from '../drive-run.js'
import { listModels, listWord } from '../model/list-models.js'
import { jsonLine } from '../output/output.js'
import { readLog } from '../read-log.js'
import { continuePrompt, resumeSession, workLeft } from '../resume-session.js'
import { modelFlags, runFlags, runOptions } from '../run-flags.js'
import { sessionArgument } from '../session-argument.js'
import { sessionTarget } from '../session-home.js'

export const resumeCommand = command({
  name: 'resume',
  description: 'Go on with a session that was interrupted, killed or finished',
  args: {
    id: sessionArgument,
    prompt: { type: 'positional', required: false, description: 'What to say (default: to continue)' },
    ...runFlags,
    workspace: {
      ...runFlags.workspace,
      description: `${runFlags.workspace.description} (default: the one the session was started with)`,
    },
    ...modelFlags,
    model: {
      ...modelFlags.model,
      description: 'Which model goes on (default: the one before); "list" shows the providers and their keys',
    },
  },
  examples: [
    'agent-spine resume 20261130-154512-3f9a',
    'agent-spine resume 20261130-154512-3f9a "now read report.md" --json',
    'agent-spine resume 20261130-154512-3f9a --model anthropic:claude-sonnet-4-5',
  ],
  async run(args, environment) {
    if (args.model === listWord) return listModels(environment, args.json)
    const options = runOptions(args)
    if (args.prompt === undefined && (await isDone(args.id, environment, args.json))) return 0
    return driveRun(environment, () => resumeSession(environment, args), {
      ...options,
      json: args.json,
      prompt: args.prompt ?? continuePrompt,
    })
  },
})

/** Says so where nothing is left to do. @throws CommandError `NOTHING_TO_RESUME` for a session without a task */
async function isDone(id: string, environment: CommandEnvironment, json: boolean): Promise<boolean> {
  const target = await sessionTarget(id, environment)
  switch (workLeft(await readLog(target))) {
    case 'unfinished':
      return false
    case 'no-task':
      throw new CommandError('NOTHING_TO_RESUME', `session ${target.id} was never given a task`, {
        hint: `give it one: agent-spine resume ${target.id} "PROMPT"`,
      })
    case 'done': {
      const place = { session: target.id, file: target.file }
      if (json)
        environment.stdout.write(
          jsonLine({ type: 'summary', ok: true, exitCode: 0, ...place, reason: 'completed' }),
        )
      else
        environment.stderr.write(
          `session ${target.id} is complete; say what to do next: agent-spine resume ${target.id} "PROMPT"\n`,
        )
      return true
    }
  }
}
