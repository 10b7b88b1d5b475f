import { type SessionEvent } from '@agent-spine/session'
import { type SessionTarget } from './session-home.js'

/** A whole log in memory. Takes no lease: works beside a live writer. */
export async function readLog({ store, id }: SessionTarget): Promise<readonly SessionEvent[]> {
  const events: SessionEvent[] = []
  for await (const event of store.read(id)) events.push(event)
  return events
}
