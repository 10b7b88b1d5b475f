import { resolve } from 'node:path'
import { type LanguageModel } from '@agent-spine/model'
import { createSession, type Session } from '@agent-spine/session'
import { type CommandEnvironment } from './command-environment.js'
import { defaultModel, modelName } from './model/model-name.js'
import { selectModel } from './model/select-model.js'
import { recordSettings, type RunSettings } from './run-settings.js'
import { makeSessionPlace, newSessionId, targetIn, type SessionTarget } from './session-home.js'
import { openWorkspace } from './workspace/open-workspace.js'
import { copySampleWorkspace } from './workspace/sample-workspace.js'

/** A session that is open for writing, and what it is about. */
export interface OpenRun {
  readonly target: SessionTarget
  readonly session: Session
  readonly settings: RunSettings
  /** The one that the settings name. */
  readonly model: LanguageModel
}

/** The flags that say where a run works and who drives it. */
export interface PlaceFlags {
  readonly workspace?: string | undefined
  readonly model?: string | undefined
  readonly 'base-url'?: string | undefined
}

/** Makes a session for a directory; without one, for a fresh copy of the sample. */
export async function startSession(
  environment: CommandEnvironment,
  { workspace, model: name = defaultModel, 'base-url': baseUrl }: PlaceFlags,
): Promise<OpenRun> {
  const choice = { model: modelName(name), ...(baseUrl !== undefined && { baseUrl }) }
  const model = await selectModel(choice, environment.variables)
  const directory =
    workspace === undefined ? await copySampleWorkspace() : resolve(environment.cwd, workspace)
  const { root } = await openWorkspace(directory)
  const place = await makeSessionPlace(environment)
  const target = targetIn(place, newSessionId(new Date()))
  const session = await createSession({ id: target.id, store: place.store })
  const settings = { workspace: root, ...choice }
  recordSettings(session, settings)
  return { target, session, settings, model }
}
