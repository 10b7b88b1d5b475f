import { resolve } from 'node:path'
import { createSession, type Session } from '@agent-spine/session'
import { type CommandEnvironment } from './command-environment.js'
import { defaultModel, selectModel } from './model/select-model.js'
import { recordSettings, type RunSettings } from './run-settings.js'
import { makeSessionPlace, newSessionId, targetIn, type SessionTarget } from './session-home.js'
import { openWorkspace } from './workspace/open-workspace.js'
import { copySampleWorkspace } from './workspace/sample-workspace.js'

/** A session that is open for writing, and what it is about. */
export interface OpenRun {
  readonly target: SessionTarget
  readonly session: Session
  readonly settings: RunSettings
}

/** Makes a session for a directory; without one, for a fresh copy of the sample. */
export async function startSession(
  environment: CommandEnvironment,
  {
    workspace,
    model = defaultModel,
  }: { readonly workspace: string | undefined; readonly model?: string | undefined },
): Promise<OpenRun> {
  selectModel(model)
  const directory =
    workspace === undefined ? await copySampleWorkspace() : resolve(environment.cwd, workspace)
  const { root } = await openWorkspace(directory)
  const place = await makeSessionPlace(environment)
  const target = targetIn(place, newSessionId(new Date()))
  const session = await createSession({ id: target.id, store: place.store })
  const settings = { workspace: root, model }
  recordSettings(session, settings)
  return { target, session, settings }
}
