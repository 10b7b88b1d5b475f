/** OpenAI's chat completions refuse an id of more than 40 characters, Anthropic one of other characters. */
const maxLength = 40
const otherCharacters = /[^A-Za-z0-9_-]/gu

/**
 * Gives the calls of one conversation, in their order, ids that every provider accepts.
 *
 * W1. Up to 40 of `A-Z a-z 0-9 _ -`; an id that is that already, and free, stays as it is.
 * W2. No two calls get one id.
 * W3. What a call gets depends on the calls before it alone, so a longer conversation does not rename it.
 */
export class WireCallIds {
  readonly #given = new Map<string, string>()
  readonly #taken = new Set<string>()

  /** The id of a call: the same one again for its result. */
  of(callId: string): string {
    const known = this.#given.get(callId)
    if (known !== undefined) return known
    const wired = this.#free(callId.replaceAll(otherCharacters, '_').slice(0, maxLength) || 'call')
    this.#given.set(callId, wired)
    this.#taken.add(wired)
    return wired
  }

  #free(base: string): string {
    for (let number = 1; ; number++) {
      const suffix = number === 1 ? '' : `_${number}`
      const id = base.slice(0, maxLength - suffix.length) + suffix
      if (!this.#taken.has(id)) return id
    }
  }
}
