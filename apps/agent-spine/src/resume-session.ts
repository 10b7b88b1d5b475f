import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { needsRepair } from '@agent-spine/repair'
import { openSession, type SessionEvent } from '@agent-spine/session'
import { type CommandEnvironment } from './command-environment.js'
import { CommandError } from './command-error.js'
import { defaultModel, modelName } from './model/model-name.js'
import { selectModel, sendsKey, type ModelChoice } from './model/select-model.js'
import { readLog } from './read-log.js'
import { recordSettings, settingsIn, type RunSettings } from './run-settings.js'
import { sessionTarget } from './session-home.js'
import { type OpenRun, type PlaceFlags } from './start-session.js'
import { openWorkspace } from './workspace/open-workspace.js'

/** What resume says to the model when the person says nothing. */
export const continuePrompt = 'Continue where the last turn stopped.'

/** Opens a session that a command started before, under its writer lease. */
export async function resumeSession(
  environment: CommandEnvironment,
  { id, workspace, ...flags }: PlaceFlags & { readonly id: string },
): Promise<OpenRun> {
  const target = await sessionTarget(id, environment)
  const recorded = settingsIn(await readLog(target))
  const directory = workspace === undefined ? recorded?.workspace : resolve(environment.cwd, workspace)
  if (directory === undefined) throw workspaceNotRecorded(target.id)
  const settings = {
    workspace: (await openWorkspace(directory)).root,
    ...modelToResume(flags, recorded, environment),
  }
  // Before the lease: what is wrong with it leaves the log alone. And not after it: in Node 20, a package is not found
  // where it is linked to if the last file the process looked at was a socket, such as the one the lease makes.
  const model = await selectModel(settings, environment.variables)
  const session = await openSession(target.store, target.id)
  try {
    if (!isDeepStrictEqual(settings, settingsIn(session.events))) recordSettings(session, settings)
    return { target, session, settings, model }
  } catch (error) {
    await session.close().catch(() => undefined)
    throw error
  }
}

function workspaceNotRecorded(id: string): CommandError {
  return new CommandError(
    'WORKSPACE_NOT_RECORDED',
    `session ${id} does not say which directory it works in`,
    { hint: 'name it with --workspace DIR', exitCode: 2 },
  )
}

/**
 * The model of the flags, else the recorded one where it was. A log may come from anybody, so it never decides where a key
 * goes. @throws CommandError `BASE_URL_NOT_CONFIRMED`
 */
function modelToResume(
  { model, 'base-url': baseUrl }: PlaceFlags,
  recorded: RunSettings | undefined,
  { variables }: CommandEnvironment,
): ModelChoice & Pick<RunSettings, 'baseUrl'> {
  const choice = { model: modelName(model ?? recorded?.model ?? defaultModel) }
  const isRecorded = model === undefined || choice.model === recorded?.model
  const place = baseUrl ?? (isRecorded ? recorded?.baseUrl : undefined)
  if (place === undefined) return choice
  if (baseUrl === undefined && sendsKey(choice, variables)) {
    throw new CommandError(
      'BASE_URL_NOT_CONFIRMED',
      `the session says that ${choice.model} is at ${place}, and your key would be sent there`,
      { hint: `if that is right, say so: --base-url ${place}`, exitCode: 2 },
    )
  }
  return { ...choice, baseUrl: place }
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
