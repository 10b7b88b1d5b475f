import type { LanguageModel, Message, ModelRequest } from '@agent-spine/model'
import type { RequestHeader, Session, SessionEvent } from '@agent-spine/session'
import { isDeeplyFrozen } from './deeply-frozen.js'
import { report, type Finding, type FindingOptions } from './finding.js'
import { Surface, type DerivedMessage } from './surface.js'

/**
 * How much of a request is compared with the log.
 *
 * - `full`: the log is read again from its first event, and every byte is compared. O(log) a request.
 * - `incremental`: events that came since the last request are read, and bytes are compared where either side is new.
 *   What is the log's own object, or was equal and frozen before, is compared by identity. O(new events) plus two
 *   comparisons a message.
 */
export type GuardMode = 'full' | 'incremental'

export type ModelGuardOptions = FindingOptions & { readonly mode: GuardMode }

/**
 * Holds every request to `model` to account before it leaves: it is frozen, its messages are byte for byte, as JSON, what
 * the log of `session` derives at that moment, and its header is the log's latest. Wrap it outermost. Reads the log with a
 * fold of its own, so that a mistake of the session's shows.
 *
 * Under the policy `throw`, `stream` throws at once, and the model is not called.
 *
 * @example
 * ```ts
 * const agent = createAgent({ session, model: guardModel(model, session, { mode: 'incremental' }) })
 * ```
 */
export function guardModel(
  model: LanguageModel,
  session: Session,
  options: ModelGuardOptions,
): LanguageModel {
  let reading = new LogReading(options.mode)
  return {
    provider: model.provider,
    modelId: model.modelId,
    stream(request) {
      if (options.mode === 'full') reading = new LogReading(options.mode)
      reading.catchUp(session.events)
      report([...sessionFindings(session, request), ...reading.findings(request)], options)
      return model.stream(request)
    },
  }
}

function sessionFindings(session: Session, request: ModelRequest): Finding[] {
  if (request.sessionId === session.id) return []
  const message = `expected a request of session ${session.id}, found one of ${request.sessionId}`
  return [{ code: 'SESSION_MISMATCH', seq: session.events.length - 1, message }]
}

/**
 * Owns: what the log says the next request is, and what of it was seen to be so before.
 *
 * Q1. Bytes are skipped only for an object that is the log's own, and for a frozen one that was compared before, at this
 *     position, with the same event's.
 * Q2. Header and messages are compared as JSON text: keys in another order are another request.
 */
class LogReading {
  readonly #mode: GuardMode
  readonly #surface = new Surface()
  /** The messages that were sent and found to be what `#derived` holds at the same position. */
  readonly #verified: Message[] = []
  #derived: readonly DerivedMessage[] = []
  #seen = 0
  #header: SessionEvent<'request/header'> | undefined
  #verifiedHeader: { readonly event: SessionEvent; readonly sent: RequestHeader } | undefined

  constructor(mode: GuardMode) {
    this.#mode = mode
  }

  catchUp(events: readonly SessionEvent[]): void {
    for (; this.#seen < events.length; this.#seen++) {
      const event = events[this.#seen]
      if (event === undefined) continue
      if (event.type === 'request/header') this.#header = event
      this.#surface.add(event)
    }
  }

  findings(request: ModelRequest): Finding[] {
    return [
      ...this.#frozenFindings(request),
      ...this.#headerFindings(request),
      ...this.#messageFindings(request),
    ]
  }

  get #lastSeq(): number {
    return this.#seen - 1
  }

  #frozenFindings(request: ModelRequest): Finding[] {
    const whole = Object.isFrozen(request) && Object.isFrozen(request.messages)
    return whole ? [] : [this.#notFrozen('the request or its list of messages')]
  }

  #notFrozen(what: string, seq = this.#lastSeq): Finding {
    const message = `expected ${what} to be deeply frozen, so that nobody changes it on its way to the provider`
    return { code: 'REQUEST_NOT_FROZEN', seq, message }
  }

  #headerFindings(request: ModelRequest): Finding[] {
    const event = this.#header
    if (event === undefined) {
      const message = 'expected a request/header before the first request, found none'
      return [{ code: 'HEADER_DESYNC', seq: this.#lastSeq, message }]
    }
    const verified = this.#verifiedHeader
    if (verified?.event === event && isSameHeader(verified.sent, request)) return []
    const sent = headerOf(request)
    const findings: Finding[] = []
    for (const part of ['config', 'system', 'tools'] as const) {
      if (!isDeeplyFrozen(sent[part])) findings.push(this.#notFrozen(`${part} of the request`, event.seq))
      if (JSON.stringify(sent[part]) === JSON.stringify(event.data.header[part])) continue
      const message = `${part} of the request differs from the request/header of seq ${event.seq}`
      findings.push({ code: 'HEADER_DESYNC', seq: event.seq, message })
    }
    if (findings.length === 0) this.#verifiedHeader = { event, sent }
    return findings
  }

  #messageFindings({ messages }: ModelRequest): Finding[] {
    const { derived } = this.#surface
    const findings: Finding[] = []
    const length = Math.max(messages.length, derived.length)
    for (let index = this.#verifiedPrefix(messages, derived); index < length; index++) {
      const sent = messages[index]
      const expected = derived[index]
      if (sent === undefined || expected === undefined) {
        findings.push(this.#lengthFinding(index, messages, derived))
        break
      }
      if (!this.#isEqual(sent, expected.message)) {
        findings.push(differs(index, sent, expected))
        break
      }
      if (!isDeeplyFrozen(sent)) {
        findings.push(this.#notFrozen(`message ${index} (${sent.id})`, expected.seq))
        continue
      }
      // No gaps: one would be taken for a message that is missing from a later request.
      if (index <= this.#verified.length) this.#verified[index] = sent
    }
    return findings
  }

  /** How many messages from the first on need no second look. */
  #verifiedPrefix(messages: readonly Message[], derived: readonly DerivedMessage[]): number {
    if (derived !== this.#derived) this.#forgetMoved(derived)
    const verified = this.#verified
    const limit = Math.min(messages.length, verified.length)
    let index = 0
    // By index: an iterator of its own would be believed.
    while (index < limit && messages[index] === verified[index]) index++
    return index
  }

  /** A list that was only added to is still the same one; a replacement makes a new one, of which the start may be old. */
  #forgetMoved(derived: readonly DerivedMessage[]): void {
    let index = 0
    while (index < this.#verified.length && derived[index] === this.#derived[index]) index++
    this.#verified.length = index
    this.#derived = derived
  }

  #isEqual(sent: Message, expected: Message): boolean {
    if (this.#mode === 'incremental' && sent === expected) return true
    return JSON.stringify(sent) === JSON.stringify(expected)
  }

  /** One of the two has no message at `first`: it is shorter, or has a gap there. */
  #lengthFinding(first: number, messages: readonly Message[], derived: readonly DerivedMessage[]): Finding {
    const seq = derived[first]?.seq ?? this.#lastSeq
    const surplus = messages[first]
    const what =
      surplus === undefined ? `the one of seq ${seq} is missing` : `${surplus.id} is not in the log`
    return {
      code: 'LOG_RECONSTRUCTION_DESYNC',
      seq,
      message: `request and log differ from message ${first} on: the request holds ${messages.length}, the log derives ${derived.length}; ${what}`,
    }
  }
}

function differs(index: number, sent: Message, { seq, message }: DerivedMessage): Finding {
  const found = sent.id === message.id ? `other content of ${sent.id}` : sent.id
  return {
    code: 'LOG_RECONSTRUCTION_DESYNC',
    seq,
    message: `request and log differ from message ${index} on: the log derives ${message.id} from seq ${seq}, the request holds ${found}`,
  }
}

function headerOf({ config, system, tools }: ModelRequest): RequestHeader {
  return { config, ...(system !== undefined && { system }), ...(tools !== undefined && { tools }) }
}

function isSameHeader(sent: RequestHeader, request: ModelRequest): boolean {
  return sent.config === request.config && sent.system === request.system && sent.tools === request.tools
}
