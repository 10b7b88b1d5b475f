import { auditLog, guardModel, guardSession, legalityProblems } from '@agent-spine/invariant'
import type { LanguageModel, ModelRequest, StreamChunk } from '@agent-spine/model'
import { scriptedModel, type ScriptedAnswer, type ScriptedModel } from '@agent-spine/model/testing'
import { repairLog } from '@agent-spine/repair'
import {
  createSession,
  deriveMessages,
  memoryStore,
  replaySession,
  type Session,
  type SessionEvent,
} from '@agent-spine/session'
import {
  createToolRuntime,
  defineTool,
  type Tool,
  type ToolHooks,
  type ToolRuntime,
} from '@agent-spine/tools'
import { expect } from 'vitest'
import { createAgent, type Agent, type AgentOptions } from '../src/index.js'

/** An agent on a scripted model, with every append and every request held to the invariants. */
export interface Scenario {
  readonly agent: Agent
  readonly session: Session
  readonly model: ScriptedModel
  /** What was told to `error` listeners. */
  readonly errors: unknown[]
}

export interface ScenarioOptions extends Partial<Omit<AgentOptions, 'model' | 'tools'>> {
  readonly tools?: readonly Tool[]
  readonly toolHooks?: ToolHooks
  /** Injects faults into the model, inside of its guard. */
  readonly wrapModel?: (model: LanguageModel) => LanguageModel
  /** Injects faults into the stages. */
  readonly wrapTools?: (runtime: ToolRuntime) => ToolRuntime
}

export function scenario(answers: readonly ScriptedAnswer[], options: ScenarioOptions = {}): Scenario {
  const { tools = [], toolHooks, wrapTools = (runtime: ToolRuntime) => runtime, ...others } = options
  const { wrapModel = (scripted: LanguageModel) => scripted, ...rest } = others
  const session = options.session ?? memorySession()
  guardSession(session)
  const model = scriptedModel(answers)
  const errors: unknown[] = []
  const agent = createAgent({
    newId: countingIds(session),
    ...rest,
    session,
    model: guardModel(wrapModel(model), session, { mode: 'full' }),
    tools: wrapTools(createToolRuntime({ tools, ...(toolHooks !== undefined && { hooks: toolHooks }) })),
  })
  agent.on('error', ({ error }) => void errors.push(error))
  return { agent, session, model, errors }
}

export function memorySession(events: readonly SessionEvent[] = []): Session {
  return replaySession(events, { id: 'test', clock: () => 1000 })
}

/** Ids that tell nothing apart but inputs, and stay unused when a log is replayed. */
function countingIds({ events }: Session): () => string {
  let next = events.length
  return () => `id_${next++}`
}

/** A promise and the hand that settles it. */
export interface Held<T = void> {
  readonly promise: Promise<T>
  resolve(value: T): void
  reject(error: unknown): void
}

export function hold<T = void>(): Held<T> {
  const held: Partial<Held<T>> = {}
  const promise = new Promise<T>((resolve, reject) => Object.assign(held, { resolve, reject }))
  return Object.assign(held, { promise }) as Held<T>
}

/** Resolves once the log has `count` events of `type`. */
export function reached(session: Session, type: SessionEvent['type'], count = 1): Promise<void> {
  return new Promise(resolve => {
    const look = (): void => {
      if (session.events.filter(event => event.type === type).length < count) return
      resolve()
    }
    session.subscribe(look)
    look()
  })
}

/** Lets everything that is ready to run, run. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise<void>(resolve => setImmediate(resolve))
}

/** Text, one character a chunk, then whatever `rest` does. */
export async function* slowText(
  text: string,
  rest: () => Promise<void> = () => Promise.resolve(),
): AsyncGenerator<StreamChunk> {
  for (const letter of text) yield { type: 'text-delta', index: 0, text: letter }
  await rest()
  yield { type: 'finish', reason: { kind: 'stop' } }
}

/** A tool that may overlap and answers with what `body` makes of its argument. */
export function readTool(
  name: string,
  body: (text: string, signal: AbortSignal) => Promise<string> | string,
): Tool {
  return defineTool({
    name,
    description: `reads ${name}`,
    parameters: { text: { type: 'string' } },
    output: { type: 'string' },
    isConcurrencySafe: () => true,
    execute: async ({ text }, { signal }) => body(text ?? '', signal),
  })
}

/** A tool that runs alone. */
export function writeTool(
  name: string,
  body: (text: string, signal: AbortSignal) => Promise<string> | string,
): Tool {
  return defineTool({
    name,
    description: `writes ${name}`,
    parameters: { text: { type: 'string' } },
    output: { type: 'string' },
    execute: async ({ text }, { signal }) => body(text ?? '', signal),
  })
}

export function call(id: string, name: string, text = id) {
  return { id, name, arguments: { text } }
}

/** The log in words, one line an event, without chunks and queue edits. */
export function story(events: readonly SessionEvent[]): string[] {
  return events.flatMap(event => {
    const line = words(event)
    return line === undefined ? [] : [event.closer === true ? `${line} (repair)` : line]
  })
}

function words(event: SessionEvent): string | undefined {
  switch (event.type) {
    case 'assistant/chunk':
    case 'inbox/spliced':
      return undefined
    case 'turn/end': {
      const { reason } = event.data
      const detail =
        reason.kind === 'aborted' ? reason.cause.kind : reason.kind === 'error' ? reason.failure.code : ''
      return `turn/end ${reason.kind} ${detail}`.trimEnd()
    }
    case 'attempt/end':
      return `attempt/end ${event.data.failure?.code ?? 'ok'}`
    case 'assistant/message': {
      const parts = event.data.message.content.map(block =>
        block.type === 'text' ? block.text : block.type === 'tool-call' ? `[${block.id}]` : block.type,
      )
      return `${event.data.interrupted ? 'interrupted' : 'assistant'} ${parts.join(' ')}`.trimEnd()
    }
    case 'user/message':
      return `${event.data.message.source.kind} ${text(event.data.message.content)}`
    case 'tool/call':
      return `call ${event.data.callId}${event.data.skipped ? ' skipped' : ''}`
    case 'tool/dispatch':
      return `dispatch ${event.data.callId}`
    case 'tool/result':
    case 'tool/late': {
      const [block] = event.data.message.content
      const outcome = event.data.error?.code ?? event.data.error?.name
      const said = block?.type === 'tool-result' ? text(block.content) : ''
      const id = block?.type === 'tool-result' ? block.toolCallId : ''
      return `${event.type === 'tool/late' ? 'late' : 'result'} ${id} ${outcome ?? said}`
    }
    default:
      return event.type
  }
}

function text(content: readonly { readonly type: string; readonly text?: string }[]): string {
  return content.map(block => block.text ?? block.type).join(' ')
}

/** As it stands, every relation of the log holds, and its repair is a conversation that all providers accept. */
export function expectSound({ events }: Pick<Session, 'events'>, where = ''): void {
  const repaired = repairLog(events)
  expect(auditLog(repaired), where).toEqual([])
  expect(legalityProblems(deriveMessages(repaired), 'strict'), where).toEqual([])
}

/** The one law: every relation of the log holds, and cut anywhere, its repair is a conversation that all providers accept. */
export function expectLawful({ events }: Pick<Session, 'events'>): void {
  for (let length = 0; length <= events.length; length++) {
    expectSound({ events: events.slice(0, length) }, `cut after ${length} events`)
  }
}

/** A session whose store calls `onFlush` before each flush; what that rejects with, the flush rejects with. */
export async function storedSession(onFlush: () => Promise<void> | void): Promise<Session> {
  const store = memoryStore()
  return createSession({
    id: 'test',
    clock: () => 1000,
    store: {
      ...store,
      create: async header => {
        const log = await store.create(header)
        return {
          append: events => log.append(events),
          close: () => log.close(),
          flush: async () => {
            await onFlush()
            await log.flush()
          },
        }
      },
    },
  })
}

/** Answers by what it is asked, however often: `go` gets calls, results get `done`, anything else an echo. */
export function obliging(calls: readonly ReturnType<typeof call>[]): ScriptedAnswer[] {
  return Array.from({ length: 12 }, (_, index) => (request: ModelRequest): ScriptedAnswer => {
    const last = request.messages.at(-1)
    const block = last?.content[0]
    if (block?.type === 'tool-result') return 'done'
    if (block?.type !== 'text' || block.text !== 'go') return 'ok'
    const named = calls.map(({ id, ...rest }) => ({ id: index === 0 ? id : `${id}_${index}`, ...rest }))
    return { reasoning: 'hm', text: 'on it', calls: named }
  })
}
