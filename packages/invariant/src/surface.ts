import type { AssistantBlock, Message } from '@agent-spine/model'
import type { SessionEvent } from '@agent-spine/session'
import type { Problem } from './finding.js'

/**
 * Owns: a second, independent reading of what a log derives. It shares no code with the session's.
 *
 * U1. Messages are the surface events' own, in surface order.
 * U2. An assistant message loses text that is only white space; an interrupted one also loses reasoning without replay
 *     state; one left without text, image or call is not derived.
 * U3. A replacement stands where its range stood. Its edges name events on the surface, in surface order; neither falls
 *     between a call and its result, and the replacement holds neither.
 */
export class Surface {
  #entries: Entry[] = []
  #derived: DerivedMessage[] = []

  /** What the surface derives to. An entry keeps its identity for as long as its message stands. */
  get derived(): readonly DerivedMessage[] {
    return this.#derived
  }

  /** A surface that can go its own way. O(surface). */
  copy(): Surface {
    const copy = new Surface()
    copy.#entries = [...this.#entries]
    copy.#derived = [...this.#derived]
    return copy
  }

  /** What is wrong with the range that `event` replaces, if it does. O(surface) for a replacement, else O(1). */
  rangeProblem(event: SessionEvent): Problem | undefined {
    const range = replacedRange(event)
    const problem = range && this.#rangeProblem(event, range)
    return problem === undefined ? undefined : ['SURFACE_RANGE', problem]
  }

  /** Takes the next event of the log. A replacement of what is not there is taken as an addition. */
  add(event: SessionEvent): void {
    if (event.type !== 'user/message' && event.type !== 'assistant/message' && event.type !== 'tool/result')
      return
    const message = derivedMessage(event)
    const entry: Entry = { event, derived: message === undefined ? undefined : { seq: event.seq, message } }
    const range = replacedRange(event)
    const first = range === undefined ? -1 : this.#position(range.start)
    const last = range === undefined ? -1 : this.#position(range.end)
    if (first < 0 || last < first) {
      this.#entries.push(entry)
      if (entry.derived !== undefined) this.#derived.push(entry.derived)
      return
    }
    this.#entries.splice(first, last - first + 1, entry)
    this.#derived = this.#entries.flatMap(({ derived }) => derived ?? [])
  }

  #rangeProblem(event: SessionEvent, { start, end }: ReplacedRange): string | undefined {
    const first = this.#position(start)
    const last = this.#position(end)
    if (first < 0 || last < 0) return `seq ${first < 0 ? start : end} is not on the surface`
    if (last < first) return `seq ${start} comes after seq ${end} on the surface`
    if (isResult(this.#entries[first])) return `its range starts between a call and its result`
    if (isResult(this.#entries[last + 1])) return `its range ends between a call and its result`
    if (event.type === 'user/message') return undefined
    const isPlain =
      event.type === 'assistant/message' &&
      event.data.message.content.every(({ type }) => type !== 'tool-call')
    return isPlain ? undefined : 'a replacement holds neither calls nor results'
  }

  #position(seq: number): number {
    return this.#entries.findIndex(({ event }) => event.seq === seq)
  }
}

/** One derived message, and the event it comes from. */
export interface DerivedMessage {
  readonly seq: number
  readonly message: Message
}

interface Entry {
  readonly event: SessionEvent
  readonly derived: DerivedMessage | undefined
}

interface ReplacedRange {
  readonly start: number
  readonly end: number
}

/** The range of the surface that `event` replaces, if it does. */
export function replacedRange(event: SessionEvent): ReplacedRange | undefined {
  return typeof event.surfaceOp === 'object' ? event.surfaceOp.replace : undefined
}

function isResult(entry: Entry | undefined): boolean {
  return entry?.event.type === 'tool/result'
}

function derivedMessage(
  event: SessionEvent<'user/message' | 'assistant/message' | 'tool/result'>,
): Message | undefined {
  if (event.type !== 'assistant/message') return event.data.message
  const { message, interrupted } = event.data
  const content: AssistantBlock[] = []
  let visible = false
  for (const block of message.content) {
    if (block.type === 'text' && block.text.trim() === '') continue
    if (block.type === 'reasoning' && interrupted === true && block.replay === undefined) continue
    if (block.type !== 'reasoning') visible = true
    content.push(block)
  }
  return visible ? { ...message, content } : undefined
}
