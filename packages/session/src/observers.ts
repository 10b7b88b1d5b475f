import type { SessionEvent } from './event.js'
import type { SessionObserver } from './session.js'

interface Subscription {
  /** An observer as it may really be: an async function fails by rejecting. */
  readonly observer: (event: SessionEvent) => unknown
  /** The first seq it sees: what was committed before is not news. */
  readonly from: number
}

/**
 * Owns: telling observers what was committed.
 *
 * O1 Every observer sees every event committed after it subscribed, in order, each event before the next is shown to
 *    anyone. An observer that appends is told of its own events after the ones that wait already.
 * O2 What an observer throws, or rejects with, reaches `onError` and nothing else.
 */
export class Observers {
  readonly #subscriptions = new Set<Subscription>()
  readonly #onError: (error: unknown, event: SessionEvent) => void
  /** Everything before this seq has been told. */
  #told: number
  #telling = false

  constructor(told: number, onError: (error: unknown, event: SessionEvent) => void) {
    this.#told = told
    this.#onError = onError
  }

  subscribe(observer: SessionObserver, from: number): () => void {
    const subscription: Subscription = { observer, from }
    this.#subscriptions.add(subscription)
    return () => void this.#subscriptions.delete(subscription)
  }

  /** Tells of everything new in `events`. Returns at once when it is called by an observer. */
  tell(events: readonly SessionEvent[]): void {
    if (this.#telling) return
    this.#telling = true
    for (; this.#told < events.length; this.#told++) {
      const event = events[this.#told]
      if (event !== undefined) this.#tellAll(event)
    }
    this.#telling = false
  }

  #tellAll(event: SessionEvent): void {
    for (const { observer, from } of this.#subscriptions) {
      if (event.seq < from) continue
      try {
        const outcome = observer(event)
        if (outcome instanceof Promise) outcome.catch((error: unknown) => this.#report(error, event))
      } catch (error) {
        this.#report(error, event)
      }
    }
  }

  #report(error: unknown, event: SessionEvent): void {
    try {
      this.#onError(error, event)
    } catch (reportError) {
      console.error('onObserverError threw', reportError, 'while it was told of', error)
    }
  }
}
