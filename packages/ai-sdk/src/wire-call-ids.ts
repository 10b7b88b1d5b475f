/**
 * What a provider takes as the id of a call.
 *
 * - `common`: up to 40 of `A-Z a-z 0-9 _ -`. OpenAI's chat completions refuse more than 40 characters, Anthropic refuses
 *   other ones.
 * - `mistral`: nine of `A-Z a-z 0-9`, neither more nor less.
 */
export type CallIdForm = 'common' | 'mistral'

const maxLength = 40
const otherCharacters = /[^A-Za-z0-9_-]/gu
const mistralLength = 9

/**
 * Gives the calls of one conversation, in their order, ids that the provider accepts.
 *
 * W1. Of the provider's form; an id that is that already, and free, stays as it is.
 * W2. No two calls get one id.
 * W3. What a call gets depends on the calls before it alone, so a longer conversation does not rename it.
 */
export class WireCallIds {
  readonly #form: CallIdForm
  readonly #given = new Map<string, string>()
  readonly #taken = new Set<string>()

  constructor(form: CallIdForm) {
    this.#form = form
  }

  /** The id of a call: the same one again for its result. */
  of(callId: string): string {
    const known = this.#given.get(callId)
    if (known !== undefined) return known
    const wired = this.#form === 'mistral' ? this.#ofMistral(callId) : this.#common(callId)
    this.#given.set(callId, wired)
    this.#taken.add(wired)
    return wired
  }

  #common(callId: string): string {
    const base = callId.replaceAll(otherCharacters, '_').slice(0, maxLength) || 'call'
    for (let number = 1; ; number++) {
      const suffix = number === 1 ? '' : `_${number}`
      const id = base.slice(0, maxLength - suffix.length) + suffix
      if (!this.#taken.has(id)) return id
    }
  }

  #ofMistral(callId: string): string {
    if (/^[A-Za-z0-9]{9}$/.test(callId) && !this.#taken.has(callId)) return callId
    for (let number = this.#given.size; ; number++) {
      const id = number.toString(36).padStart(mistralLength, '0')
      if (!this.#taken.has(id)) return id
    }
  }
}
