import type { SessionEvent } from '@agent-spine/session'

/*
 * Follows a log that somebody else writes.
 *
 * L1 Events are announced once each, in order.
 * L2 A log that came to hold fewer events than were announced, or others, was rewritten: whoever follows begins anew.
 * L3 Readings never overlap. A change during one leads to one more.
 */

/** What a follower of a log is told. */
export type LiveChange =
  { readonly kind: 'events'; readonly events: readonly SessionEvent[] } | { readonly kind: 'reset' }

/** A log as far as it was read. */
export interface LiveLog {
  readonly events: readonly SessionEvent[]
  /** Reads what is new. Rejects as the reading does; the next call tries again. */
  refresh(): Promise<void>
  /** Hears of every change from now on. The returned function ends that. */
  follow(listener: (change: LiveChange) => void): () => void
}

export function createLiveLog(read: () => AsyncIterable<SessionEvent>): LiveLog {
  let events: SessionEvent[] = []
  let reading: Promise<void> | undefined
  let again: Promise<void> | undefined
  const listeners = new Set<(change: LiveChange) => void>()

  async function readOnce(): Promise<void> {
    const fresh: SessionEvent[] = []
    let count = 0
    let isSame = true
    for await (const event of read()) {
      const known = events[count]
      if (known === undefined) fresh.push(event)
      else if (known.time !== event.time || known.type !== event.type) isSame = false
      count += 1
    }
    if (count < events.length || !isSame) {
      events = []
      announce({ kind: 'reset' })
      return readOnce()
    }
    if (fresh.length === 0) return
    events = [...events, ...fresh]
    announce({ kind: 'events', events: fresh })
  }

  function announce(change: LiveChange): void {
    for (const listener of [...listeners]) listener(change)
  }

  function start(): Promise<void> {
    reading = readOnce().finally(() => {
      reading = undefined
    })
    return reading
  }

  return {
    get events() {
      return events
    },
    refresh() {
      if (reading === undefined) return start()
      again ??= reading
        .catch(() => undefined)
        .then(() => {
          again = undefined
          return start()
        })
      return again
    },
    follow(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
