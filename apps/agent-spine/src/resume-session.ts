import { resolve } from 'node:path'
import { needsRepair } from '@agent-spine/repair'
import { openSession, type SessionEvent } from '@agent-spine/session'
import { type CommandEnvironment } from './command-environment.js'
import { CommandError } from './command-error.js'
import { defaultModel, selectModel } from './model/select-model.js'
import { recordSettings, settingsIn } from './run-settings.js'
import { sessionTarget } from './session-home.js'
import { type OpenRun } from './start-session.js'
import { openWorkspace } from './workspace/open-workspace.js'

/** What resume says to the model when the person says nothing. */
export const continuePrompt = 'Continue where the last turn stopped.'

/** Opens a session that a command started before, under its writer lease. */
export async function resumeSession(
  environment: CommandEnvironment,
  { id, workspace }: { readonly id: string; readonly workspace: string | undefined },
): Promise<OpenRun> {
  const target = sessionTarget(id, environment)
  const session = await openSession(target.store, target.id)
  try {
    const recorded = settingsIn(session.events)
    const directory = workspace === undefined ? recorded?.workspace : resolve(environment.cwd, workspace)
    if (directory === undefined) {
      throw new CommandError(
        'WORKSPACE_NOT_RECORDED',
        `session ${target.id} does not say which directory it works in`,
        {
          hint: 'name it with --workspace DIR',
          exitCode: 2,
        },
      )
    }
    const settings = {
      workspace: (await openWorkspace(directory)).root,
      model: recorded?.model ?? defaultModel,
    }
    selectModel(settings.model)
    if (settings.workspace !== recorded?.workspace) recordSettings(session, settings)
    return { target, session, settings }
  } catch (error) {
    await session.close().catch(() => undefined)
    throw error
  }
}

/** Whether a session was given a task, and whether that is done. */
export function workLeft(events: readonly SessionEvent[]): 'no-task' | 'unfinished' | 'done' {
  const queued = queuedInput(events)
  if (queued > 0 || needsRepair(events)) return 'unfinished'
  const lastEnd = events.findLast(event => event.type === 'turn/end')
  if (lastEnd === undefined) return 'no-task'
  return lastEnd.data.reason.kind === 'completed' ? 'done' : 'unfinished'
}

/** How many inputs a log's inbox still holds. */
export function queuedInput(events: readonly SessionEvent[]): number {
  let count = 0
  for (const event of events) {
    if (event.type === 'inbox/spliced') count += event.data.inserted.length - event.data.removed.length
  }
  return count
}
