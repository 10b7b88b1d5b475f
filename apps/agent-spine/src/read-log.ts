import { type SessionEvent } from '@agent-spine/session'
import { SessionCorruptError } from '@agent-spine/session/jsonl'
import { type SessionTarget } from './session-home.js'

/** A whole log in memory. Takes no lease: works beside a live writer. */
export async function readLog(target: SessionTarget): Promise<readonly SessionEvent[]> {
  const { events, damage } = await readUpToDamage(target)
  if (damage !== undefined) throw damage
  return events
}

/** Like {@link readLog}, and of a damaged log what is before the damage. */
export async function readUpToDamage({ store, id }: SessionTarget): Promise<{
  readonly events: readonly SessionEvent[]
  readonly damage?: SessionCorruptError
}> {
  const events: SessionEvent[] = []
  try {
    for await (const event of store.read(id)) events.push(event)
  } catch (error) {
    if (!SessionCorruptError.is(error)) throw error
    return { events, damage: error }
  }
  return { events }
}
