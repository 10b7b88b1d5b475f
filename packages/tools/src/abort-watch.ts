import { onceAborted } from './link-signals.js'

interface Waiting {
  readonly tell: () => void
  isWaiting: boolean
  previous: Waiting | undefined
  next: Waiting | undefined
}

/** Who waits for one signal, in the order in which they came. */
interface Watched {
  first: Waiting | undefined
  last: Waiting | undefined
  unlink: () => void
}

/**
 * Tells many of an abort through one listener. With a listener for every running body, a batch at the default cap would
 * exceed the ten above which Node warns of a leak.
 */
export class AbortWatch {
  readonly #watched = new Map<AbortSignal, Watched>()

  /** Calls `tell` when `signal` aborts, at once if it has. Returns a function that ends it. */
  once(signal: AbortSignal, tell: () => void): () => void {
    if (signal.aborted) {
      tell()
      return () => undefined
    }
    const watched = this.#watched.get(signal) ?? this.#watch(signal)
    const waiting: Waiting = { tell, isWaiting: true, previous: watched.last, next: undefined }
    if (watched.last) watched.last.next = waiting
    else watched.first = waiting
    watched.last = waiting
    return () => {
      if (!remove(watched, waiting) || watched.first) return
      watched.unlink()
      this.#watched.delete(signal)
    }
  }

  #watch(signal: AbortSignal): Watched {
    const watched: Watched = { first: undefined, last: undefined, unlink: () => undefined }
    watched.unlink = onceAborted(signal, () => {
      for (let waiting = watched.first; waiting; waiting = watched.first) {
        remove(watched, waiting)
        waiting.tell()
      }
      this.#watched.delete(signal)
    })
    this.#watched.set(signal, watched)
    return watched
  }
}

/**
 * Answers whether it had not been removed before. Leaves no way from who has left to who came later: a set would, through its old tables,
 * and a collector of young objects would then keep the state of every call of a long batch.
 */
function remove(watched: Watched, waiting: Waiting): boolean {
  const { previous, next, isWaiting } = waiting
  if (!isWaiting) return false
  if (previous) previous.next = next
  else watched.first = next
  if (next) next.previous = previous
  else watched.last = previous
  waiting.previous = undefined
  waiting.next = undefined
  waiting.isWaiting = false
  return true
}
