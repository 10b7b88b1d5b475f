import { contained } from './contained.js'

/** Functions that want to be told. What one of them throws is dropped: what it is told has happened, for the others too. */
export class Listeners<Told extends readonly unknown[]> {
  readonly #entries = new Set<{ readonly listener: (...told: Told) => void }>()

  /** Returns a function that ends it. */
  add(listener: (...told: Told) => void): () => void {
    const entry = { listener }
    this.#entries.add(entry)
    return () => this.#entries.delete(entry)
  }

  tell(...told: Told): void {
    for (const { listener } of [...this.#entries]) contained(() => listener(...told))
  }
}
