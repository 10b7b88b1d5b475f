import type { Session, SessionEvent } from '@agent-spine/session'

/**
 * Folds the log as far as it goes. The returned function reads on from where it stopped: unlike a subscription, which
 * an observer's turn may delay, it is never behind the log. O(new events).
 */
export function followLog(session: Session, apply: (event: SessionEvent) => void): () => void {
  let next = 0
  return () => {
    for (; next < session.events.length; next++) {
      const event = session.events[next]
      if (event !== undefined) apply(event)
    }
  }
}
