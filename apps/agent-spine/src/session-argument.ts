import { type CommandEnvironment } from './command-environment.js'
import { latestTarget, sessionTarget, type SessionTarget } from './session-home.js'

/** How every command that changes one session takes it. */
export const sessionArgument = {
  type: 'positional',
  required: true,
  description: 'The session: its ID, or its file',
} as const

/** How every command that only reads one session takes it. */
export const readSessionArgument = {
  type: 'positional',
  required: false,
  description: 'The session: its ID, or its file. Default: the latest',
} as const

/** The session to read, which is named on stderr where the person did not. */
export async function sessionToRead(
  id: string | undefined,
  environment: CommandEnvironment,
): Promise<SessionTarget> {
  if (id !== undefined) return sessionTarget(id, environment)
  const target = await latestTarget(environment)
  environment.stderr.write(`the latest session: ${target.id}\n`)
  return target
}
