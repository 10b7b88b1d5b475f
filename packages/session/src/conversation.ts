import type { Message } from '@agent-spine/model'

/**
 * The conversation that a log stood for at one moment: it never changes, and costs nothing to make however long it is,
 * because it shares its messages with those before and after it. For whoever looks at a few of many messages after every
 * event; `deriveMessages()` gives a real array.
 */
export interface Conversation extends Iterable<Message> {
  readonly length: number
  /** The message at `index`; from the end where `index` is negative. O(1). */
  at(index: number): Message | undefined
}

/** The first so many messages of a list to which messages are added, and from which none is ever taken. */
export class ConversationView implements Conversation {
  readonly length: number
  readonly #growing: readonly Message[]

  constructor(growing: readonly Message[]) {
    this.#growing = growing
    this.length = growing.length
    Object.freeze(this)
  }

  at(index: number): Message | undefined {
    const position = Math.trunc(index) || 0
    const fromStart = position < 0 ? this.length + position : position
    return fromStart < this.length ? this.#growing[fromStart] : undefined
  }

  *[Symbol.iterator](): Iterator<Message> {
    for (let index = 0; index < this.length; index++) yield this.#growing[index] as Message
  }
}
