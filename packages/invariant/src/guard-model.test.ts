import {
  LlmError,
  type Message,
  type ModelRequest,
  type StreamChunk,
  type ToolSchema,
} from '@agent-spine/model'
import { scriptedModel } from '@agent-spine/model/testing'
import { replaySession, type RequestHeader, type Session, type SessionEvent } from '@agent-spine/session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Finding } from './finding.js'
import { guardModel, type GuardMode } from './guard-model.js'
import { soundDrafts, userDraft, writeLog } from './sample-log.js'

const tool: ToolSchema = { name: 'read', description: 'reads', parameters: { type: 'object' } }
const header: RequestHeader = {
  config: { provider: 'acme', model: 'one', temperature: 0 },
  system: 'be true',
  tools: [tool],
}

/** A session whose log is sound, up to where the next request leaves. */
function sessionBeforeRequest(): Session {
  const session = replaySession(writeLog(soundDrafts), { id: 's' })
  session.append('request/header', { header, reason: 'change' })
  return session
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !(value instanceof AbortSignal)) {
    Object.values(value).forEach(deepFreeze)
    Object.freeze(value)
  }
  return value
}

const { signal } = new AbortController()

/** The request a loop would send now, changed by `change`. */
function requestOf(session: Session, change: Partial<ModelRequest> = {}): ModelRequest {
  const messages = session.deriveMessages()
  return deepFreeze({ ...header, messages, sessionId: session.id, signal, ...change })
}

/** Sends requests through a guard that collects; gives what it found of each. */
function guarded(session: Session, mode: GuardMode): { readonly send: (request: ModelRequest) => string[] } {
  const inner = scriptedModel([])
  const findings: Finding[] = []
  const model = guardModel(inner, session, { mode, policy: 'collect', on: finding => findings.push(finding) })
  return {
    send: request => {
      findings.length = 0
      model.stream(request)
      return findings.map(({ code, seq }) => `${code} ${seq}`)
    },
  }
}

const modes: readonly GuardMode[] = ['full', 'incremental']

describe.each(modes)('guardModel %s', mode => {
  it('passes the request that the log derives, again and again, as the log grows', () => {
    const session = sessionBeforeRequest()
    const { send } = guarded(session, mode)
    expect(send(requestOf(session))).toEqual([])
    expect(send(requestOf(session))).toEqual([])
    session.appendAll([userDraft('later')])
    expect(send(requestOf(session))).toEqual([])
    session.appendAll([{ ...userDraft('summary'), surfaceOp: { replace: { start: 7, end: 19 } } }])
    expect(send(requestOf(session))).toEqual([])
  })

  it('passes equal messages that are other objects', () => {
    const session = sessionBeforeRequest()
    const { send } = guarded(session, mode)
    send(requestOf(session))
    const messages = structuredClone(session.deriveMessages()) as Message[]
    expect(send(requestOf(session, { messages }))).toEqual([])
  })

  it('refuses any replaced, dropped, doubled or moved message, first request or later', () => {
    fc.assert(
      fc.property(faults, fc.boolean(), (fault, warm) => {
        const session = sessionBeforeRequest()
        const { send } = guarded(session, mode)
        if (warm) expect(send(requestOf(session))).toEqual([])
        const messages = fault([...session.deriveMessages()])
        const [finding, ...more] = send(requestOf(session, { messages }))
        expect(finding).toMatch(/^LOG_RECONSTRUCTION_DESYNC/)
        expect(more).toEqual([])
      }),
    )
  })

  it.each(Object.entries(everyFault))('refuses a message %s at every position', (_name, fault) => {
    for (const warm of [false, true]) {
      const session = sessionBeforeRequest()
      const { send } = guarded(session, mode)
      const sound = session.deriveMessages()
      const faulty = sound.flatMap((_, at) => fault(sound, at))
      expect(faulty.length).toBeGreaterThanOrEqual(sound.length)
      for (const { messages, at } of faulty) {
        if (warm) expect(send(requestOf(session))).toEqual([])
        const [finding, ...more] = send(requestOf(session, { messages }))
        expect(finding, `at ${at}`).toMatch(/^LOG_RECONSTRUCTION_DESYNC/)
        expect(more).toEqual([])
      }
      expect(send(requestOf(session))).toEqual([])
    }
  })

  it('sees a change inside a message it let pass before', () => {
    const session = sessionBeforeRequest()
    const { send } = guarded(session, mode)
    const messages = structuredClone(session.deriveMessages()) as Message[]
    const unfrozen = { ...requestOf(session), messages }
    expect(send(unfrozen).every(finding => finding.startsWith('REQUEST_NOT_FROZEN'))).toBe(true)
    const [first] = messages
    ;(first as { id: string }).id = 'forged'
    expect(send(unfrozen)).toContain('LOG_RECONSTRUCTION_DESYNC 2')
  })

  it('sees that a message is missing which it once let pass unfrozen', () => {
    const session = sessionBeforeRequest()
    const { send } = guarded(session, mode)
    const messages = structuredClone(session.deriveMessages()) as Message[]
    deepFreeze(messages.slice(1))
    const sendThese = (sent: Message[]) =>
      send(Object.freeze({ ...requestOf(session), messages: Object.freeze(sent) }))
    expect(sendThese([...messages])).toEqual(['REQUEST_NOT_FROZEN 2'])
    const withGap = Array<Message>(messages.length)
    for (const [index, message] of messages.entries()) if (index > 0) withGap[index] = message
    expect(sendThese(withGap)).toEqual(['LOG_RECONSTRUCTION_DESYNC 2'])
  })

  it('reads what a request holds, and not what an iterator of its own says', () => {
    const session = sessionBeforeRequest()
    const { send } = guarded(session, mode)
    const sound = session.deriveMessages()
    expect(send(requestOf(session))).toEqual([])
    const forged = sound.map((message, at) => (at === 0 ? deepFreeze({ ...message, id: 'forged' }) : message))
    Object.defineProperty(forged, Symbol.iterator, { value: () => sound[Symbol.iterator]() })
    const [finding] = send(Object.freeze({ ...requestOf(session), messages: Object.freeze(forged) }))
    expect(finding).toBe('LOG_RECONSTRUCTION_DESYNC 2')
  })

  it('sees a message that the log has since replaced', () => {
    const session = sessionBeforeRequest()
    const { send } = guarded(session, mode)
    const stale = requestOf(session)
    expect(send(stale)).toEqual([])
    session.appendAll([{ ...userDraft('summary'), surfaceOp: { replace: { start: 2, end: 2 } } }])
    expect(send(stale)).toEqual(['LOG_RECONSTRUCTION_DESYNC 24'])
  })

  it('names the event that the first differing message should have come from', () => {
    const session = sessionBeforeRequest()
    const { send } = guarded(session, mode)
    const messages = session.deriveMessages()
    expect(send(requestOf(session, { messages: messages.with(1, messages[0] ?? fail()) }))).toEqual([
      'LOG_RECONSTRUCTION_DESYNC 7',
    ])
    expect(send(requestOf(session, { messages: messages.slice(0, -1) }))).toEqual([
      'LOG_RECONSTRUCTION_DESYNC 19',
    ])
  })

  it.each<[string, Partial<ModelRequest>]>([
    ['system text', { system: 'be kind' }],
    ['tool description', { tools: [{ ...tool, description: 'writes' }] }],
    ['list of tools', { tools: [] }],
    [
      'order of keys in a tool',
      { tools: [{ description: 'reads', name: 'read', parameters: tool.parameters }] },
    ],
    ['temperature', { config: { ...header.config, temperature: 1 } }],
    ['model', { config: { ...header.config, model: 'two' } }],
  ])('refuses another %s, first request or later', (_name, change) => {
    const session = sessionBeforeRequest()
    const { send } = guarded(session, mode)
    const changed = requestOf(session, change)
    expect(send(changed)).toEqual(['HEADER_DESYNC 23'])
    expect(send(changed)).toEqual(['HEADER_DESYNC 23'])
    expect(send(requestOf(session))).toEqual([])
    expect(send(changed)).toEqual(['HEADER_DESYNC 23'])
  })

  it('refuses a header without system text or tools', () => {
    const session = sessionBeforeRequest()
    const { send } = guarded(session, mode)
    const { system: _system, ...bare } = requestOf(session)
    expect(send(deepFreeze(bare))).toEqual(['HEADER_DESYNC 23'])
  })

  it('refuses a header that the log has since changed', () => {
    const session = sessionBeforeRequest()
    const { send } = guarded(session, mode)
    const stale = requestOf(session)
    expect(send(stale)).toEqual([])
    session.append('request/header', { header: { ...header, system: 'be brief' }, reason: 'change' })
    expect(send(stale)).toEqual(['HEADER_DESYNC 24'])
  })

  it('refuses a request before any header', () => {
    const session = replaySession([], { id: 's' })
    expect(guarded(session, mode).send(requestOf(session))).toEqual(['HEADER_DESYNC -1'])
  })

  it('refuses a request of another session', () => {
    const session = sessionBeforeRequest()
    expect(guarded(session, mode).send(requestOf(session, { sessionId: 'other' }))).toEqual([
      'SESSION_MISMATCH 23',
    ])
  })

  it.each<[string, (request: ModelRequest) => ModelRequest]>([
    ['request', request => ({ ...request })],
    ['list of messages', request => Object.freeze({ ...request, messages: [...request.messages] })],
    [
      'message',
      request => Object.freeze({ ...request, messages: Object.freeze(structuredClone(request.messages)) }),
    ],
    ['config', request => Object.freeze({ ...request, config: { ...request.config } })],
    ['tool', request => Object.freeze({ ...request, tools: Object.freeze([{ ...tool }]) })],
  ])('refuses a %s that could still change', (_name, thaw) => {
    const session = sessionBeforeRequest()
    const { send } = guarded(session, mode)
    const codes = send(thaw(requestOf(session))).map(finding => finding.split(' ')[0])
    expect(new Set(codes)).toEqual(new Set(['REQUEST_NOT_FROZEN']))
  })

  it('throws before the model is called, by default', () => {
    const session = sessionBeforeRequest()
    const inner = scriptedModel(['never sent'])
    const model = guardModel(inner, session, { mode })
    const request = requestOf(session, { messages: [] })
    expect(() => model.stream(request)).toThrow(
      /LOG_RECONSTRUCTION_DESYNC.* from message 0 on.*seq 2 is missing/,
    )
    expect(() => model.stream(request)).toThrow(LlmError)
    expect(inner.requests).toEqual([])
  })

  it('hands the same request on, and the stream back', async () => {
    const session = sessionBeforeRequest()
    const inner = scriptedModel(['fine'], { provider: 'acme', modelId: 'one' })
    const model = guardModel(inner, session, { mode })
    const request = requestOf(session)
    const chunks: StreamChunk[] = []
    for await (const chunk of model.stream(request)) chunks.push(chunk)
    expect(inner.requests[0]).toBe(request)
    expect(chunks.at(-1)).toMatchObject({ type: 'finish' })
    expect([model.provider, model.modelId]).toEqual(['acme', 'one'])
  })
})

it('guardModel full reads every event again: one that was rewritten in place shows', () => {
  const session = sessionBeforeRequest()
  const { send } = guarded(session, 'full')
  const request = requestOf(session)
  expect(send(request)).toEqual([])
  const [forgedEvent] = writeLog([userDraft('forged')])
  ;(session.events as SessionEvent[])[2] = Object.freeze({ ...(forgedEvent ?? fail()), seq: 2 })
  expect(send(request)).toEqual(['LOG_RECONSTRUCTION_DESYNC 2'])
})

function fail(): never {
  throw new Error('the sample log derives messages')
}

const forged: Message = {
  id: 'forged',
  role: 'user',
  source: { kind: 'user' },
  content: [{ type: 'text', text: 'obey' }],
}

/** Every way in which a list of messages may be wrong at one position. */
const everyFault: Readonly<
  Record<
    string,
    (
      sound: readonly Message[],
      at: number,
    ) => readonly { readonly messages: Message[]; readonly at: number }[]
  >
> = {
  mutated: (sound, at) =>
    mutations(sound[at] ?? fail()).map(message => ({ messages: sound.with(at, message), at })),
  replaced: (sound, at) => [{ messages: sound.with(at, forged), at }],
  dropped: (sound, at) => [{ messages: sound.toSpliced(at, 1), at }],
  doubled: (sound, at) =>
    places(sound).map(to => ({ messages: sound.toSpliced(to, 0, sound[at] ?? fail()), at: to })),
  inserted: (sound, at) =>
    [at, sound.length].map(to => ({ messages: sound.toSpliced(to, 0, forged), at: to })),
  moved: (sound, at) =>
    places(sound)
      .map(to => ({ messages: sound.toSpliced(at, 1).toSpliced(to, 0, sound[at] ?? fail()), at: to }))
      .filter(({ messages }) => messages.some((message, index) => message !== sound[index])),
  swapped: (sound, at) =>
    sound.flatMap((other, to) =>
      to === at ? [] : [{ messages: sound.with(at, other).with(to, sound[at] ?? fail()), at }],
    ),
}

function places(sound: readonly Message[]): number[] {
  return Array.from({ length: sound.length + 1 }, (_, index) => index)
}

/** The message with each of its parts changed, one at a time, and with its keys in another order. */
function mutations(message: Message): Message[] {
  const changes: object[] = [
    { id: `${message.id}!` },
    { role: message.role === 'user' ? 'assistant' : 'user' },
    { source: { ...message.source, note: 'forged' } },
    { content: [...message.content, { type: 'text', text: '' }] },
    ...message.content.map((block, index) => ({
      content: message.content.with(index as never, { ...block, note: 'forged' } as never),
    })),
    ...message.content.map((_, index) => ({ content: message.content.toSpliced(index, 1) })),
  ]
  const reversed = Object.fromEntries(Object.entries(message).reverse())
  return [...changes.map(change => ({ ...message, ...change })), reversed as unknown as Message]
}

/** A seeded fault at any position. The sample log derives five messages, no two alike. */
const faults: fc.Arbitrary<(messages: Message[]) => Message[]> = fc
  .tuple(fc.constantFrom('replace', 'edit', 'drop', 'double', 'insert', 'swap'), fc.nat(4), fc.nat(3))
  .map(([kind, at, shift]) => messages => {
    const message = messages[at] ?? fail()
    switch (kind) {
      case 'replace':
        return messages.with(at, forged)
      case 'edit':
        return messages.with(at, { ...message, id: `${message.id}!` })
      case 'drop':
        return messages.toSpliced(at, 1)
      case 'double':
        return messages.toSpliced(at, 0, message)
      case 'insert':
        return messages.toSpliced(at, 0, forged)
      default: {
        const other = (at + 1 + shift) % messages.length
        return messages.with(at, messages[other] ?? fail()).with(other, message)
      }
    }
  })
