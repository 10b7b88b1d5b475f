import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { repairLog } from '@agent-spine/repair'
import { type SessionEvent } from '@agent-spine/session'
import { type CommandEnvironment } from '../command-environment.js'
import { CommandError } from '../command-error.js'
import { readLog } from '../read-log.js'
import { newSessionId, sessionPlace, targetIn, type SessionTarget } from '../session-home.js'
import { verifyLog, type Verification } from '../verify-log.js'
import { type Death } from './deaths.js'
import { type DeathReady } from './stage-death.js'

/** What a death left behind. */
export interface Aftermath {
  readonly target: SessionTarget
  readonly end: { readonly code: number | null; readonly signal: NodeJS.Signals | null }
  /** What was logged before, as the process died, and what repair would add. */
  readonly before: readonly SessionEvent[]
  readonly added: readonly SessionEvent[]
  readonly closers: readonly SessionEvent[]
  readonly verdict: Verification['verdict']
}

/** Lets a process of its own die, and looks at what it left. @throws CommandError `DEATH_NOT_STAGED` */
export async function watchDeath(death: Death, environment: CommandEnvironment): Promise<Aftermath> {
  const target = targetIn(sessionPlace(environment), newSessionId(new Date()))
  const { seq, ...end } = await die(death, target.id, environment)
  if (seq === undefined) {
    throw new CommandError(
      'DEATH_NOT_STAGED',
      `expected the process of "${death.name}" to say where it is, found that it ended before`,
      { hint: 'what it said is above' },
    )
  }
  const events = await readLog(target)
  const { verdict } = verifyLog(events)
  return {
    ...{ target, end, verdict },
    before: events.slice(0, seq),
    added: events.slice(seq),
    closers: repairLog(events).slice(events.length),
  }
}

function die(
  { name, signal }: Death,
  id: string,
  { cwd, variables }: CommandEnvironment,
): Promise<Aftermath['end'] & { readonly seq: number | undefined }> {
  const command = [process.argv[1] ?? '', 'deaths', '--stage', name, '--session', id]
  const child = spawn(process.execPath, command, {
    cwd,
    env: variables,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let seq: number | undefined
  createInterface(child.stdout).on('line', line => {
    seq = (JSON.parse(line) as DeathReady).seq
    if (signal !== undefined) child.kill(signal)
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, endedBy) => resolve({ code, signal: endedBy, seq }))
  })
}
