import { Fifo } from './fifo.js'

/** Who holds a key, and who waits for it, first come, first served (S12). */
export class Keys<Holder> {
  readonly #held = new Map<string, Fifo<Holder>>()
  /** Stands for the queue of a key that nobody waits for, so that only contended keys pay for one. */
  readonly #nobody = new Fifo<Holder>()

  /** Takes the key and answers true, or queues the holder and answers false. */
  acquire(key: string, holder: Holder): boolean {
    let waiting = this.#held.get(key)
    if (waiting === undefined) {
      this.#held.set(key, this.#nobody)
      return true
    }
    if (waiting === this.#nobody) {
      waiting = new Fifo()
      this.#held.set(key, waiting)
    }
    waiting.push(holder)
    return false
  }

  /** Gives the key back and answers its next holder, who has it from now on. */
  release(key: string): Holder | undefined {
    const next = this.#held.get(key)?.shift()
    if (next === undefined) this.#held.delete(key)
    return next
  }
}
