import { interruptedTurnClosers } from '@agent-spine/repair'
import { openSession, type SessionEvent } from '@agent-spine/session'
import { type SalvagedSession } from '@agent-spine/session/jsonl'
import { CommandError } from './command-error.js'
import { damageReport, type DamageReport } from './damage-report.js'
import { readUpToDamage } from './read-log.js'
import { targetIn, type SessionTarget } from './session-home.js'

/** What became of a damaged session. */
export interface Salvage {
  readonly damage: DamageReport
  /** The new session, and what of the damaged file is not in it. */
  readonly salvaged: SalvagedSession
  readonly target: SessionTarget
  /** What closes what the damage left open, as it is in the new session. */
  readonly closers: readonly SessionEvent[]
}

/**
 * Copies what is good of a damaged session to a new one, and closes it. The damaged file stays as it is.
 *
 * @throws CommandError `NOT_DAMAGED`, `NOTHING_TO_SALVAGE`
 */
export async function salvageSession(target: SessionTarget): Promise<Salvage> {
  const { damage } = await readUpToDamage(target)
  if (damage === undefined) {
    throw new CommandError(
      'NOT_DAMAGED',
      `expected session ${target.id} to be damaged, and all of it can be read`,
      {
        hint: `what a crash left open is closed without --salvage: agent-spine repair ${target.id} --write`,
      },
    )
  }
  const salvaged = await target.store.salvage(target.id)
  if (salvaged.events === 0) throw nothingToSalvage(target, salvaged)
  const made = targetIn(target, salvaged.id)
  const session = await openSession(made.store, made.id)
  try {
    const closers = session.appendAll(interruptedTurnClosers(session.events))
    return { damage: damageReport(damage), salvaged, target: made, closers }
  } finally {
    await session.close()
  }
}

function nothingToSalvage({ id, file }: SessionTarget, salvaged: SalvagedSession): CommandError {
  return new CommandError(
    'NOTHING_TO_SALVAGE',
    `expected events before or after the damage of session ${id} that can be read from seq 0, found none; ${salvaged.id} is empty`,
    { hint: `restore ${file} from a backup, or start anew; the damaged file was not changed` },
  )
}
