import type { AssistantBlock, AssistantMessage, Message } from '@agent-spine/model'
import { ConversationView, type Conversation } from './conversation.js'
import type { SessionEvent } from './event.js'
import { isRefusal, refusalError } from './refusal.js'
import { isSurfaceEvent, placeOnSurface, type SurfaceEvent } from './surface.js'

/**
 * Owns: computing the conversation from the surface.
 *
 * M1 Messages are the surface events' own, shared and in surface order.
 * M2 An assistant message loses text that is only white space, and an interrupted one also loses reasoning without
 *    replay state. One that is left without text, image or call is not derived.
 * M3 A message that lost something is made once: a surface rewrite does not make it anew.
 * M4 What was handed out never changes: the list of messages only grows, and a surface rewrite begins another.
 */
export class DerivedMessages {
  readonly #surface: SurfaceEvent[] = []
  /** What each surface event derives to, by its position on the surface. */
  readonly #derived: (Message | undefined)[] = []
  #messages: Message[] = []
  #seen = 0
  /** What was handed out last, while it still holds. */
  #latest: { readonly conversation: Conversation; array?: readonly Message[] } | undefined

  /** The conversation after `events`, of which earlier calls saw a prefix. O(new events). */
  conversationAfter(events: readonly SessionEvent[]): Conversation {
    return this.#readOn(events).conversation
  }

  /** The same as an array, frozen, and the same one until something joins the surface: one array copy where it changed. */
  after(events: readonly SessionEvent[]): readonly Message[] {
    const latest = this.#readOn(events)
    latest.array ??= Object.freeze(this.#messages.slice())
    return latest.array
  }

  #readOn(events: readonly SessionEvent[]) {
    for (; this.#seen < events.length; this.#seen++) {
      const event = events[this.#seen]
      if (event !== undefined && isSurfaceEvent(event)) this.#add(event)
    }
    this.#latest ??= { conversation: new ConversationView(this.#messages) }
    return this.#latest
  }

  #add(event: SurfaceEvent): void {
    this.#latest = undefined
    const range = placeOnSurface(this.#surface, event)
    const message = derivedMessage(event)
    if (range === undefined) {
      this.#surface.push(event)
      this.#derived.push(message)
      if (message !== undefined) this.#messages.push(message)
      return
    }
    if (isRefusal(range)) throw refusalError(range, event)
    this.#surface.splice(range.position, range.length, event)
    this.#derived.splice(range.position, range.length, message)
    this.#messages = this.#derived.filter(derived => derived !== undefined)
  }
}

/**
 * The conversation that a log stands for: the messages of its surface events, verbatim but for what providers refuse
 * (see the package's README). Pure; O(events). A live session does the same in O(new events).
 */
export function deriveMessages(events: readonly SessionEvent[]): Message[] {
  return new DerivedMessages().after(events).slice()
}

function derivedMessage(event: SurfaceEvent): Message | undefined {
  if (event.type !== 'assistant/message') return event.data.message
  const { message, interrupted } = event.data
  const kept = (block: AssistantBlock) => isDerived(block, interrupted === true)
  const content = message.content.every(kept) ? message.content : message.content.filter(kept)
  if (!content.some(block => block.type !== 'reasoning')) return undefined
  if (content === message.content) return message
  const trimmed: AssistantMessage = { ...message, content: Object.freeze(content) }
  return Object.freeze(trimmed)
}

function isDerived(block: AssistantBlock, interrupted: boolean): boolean {
  if (block.type === 'text') return /\S/.test(block.text)
  if (block.type === 'reasoning') return !interrupted || block.replay !== undefined
  return true
}
