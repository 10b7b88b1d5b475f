import { toLlmFailure, type UserMessage } from '@agent-spine/model'
import { HarnessError } from '@agent-spine/schema'
import type { AbortCause, QueuedInput, Session } from '@agent-spine/session'
import { createToolRuntime } from '@agent-spine/tools'
import { agentEvent, type AgentEvent, type AgentStatus } from './agent-events.js'
import type { AgentOptions } from './agent-options.js'
import { callIdentity } from './call-identity.js'
import { checkOptions } from './check-options.js'
import { Driver } from './driver.js'
import { createEmitter, type EventOf } from './emitter.js'
import { createEventStream, type EventStream, type EventStreamOptions } from './event-stream.js'
import { isFromUser, openInbox } from './inbox.js'
import { userMessage, type AgentInput } from './input.js'
import type { Loop } from './loop.js'
import { nextStepTarget } from './phase.js'
import { Prompts } from './prompts.js'
import type { Receipt } from './receipt.js'
import { repairOpenWork, runTurn } from './turn.js'
import { withoutTurn, type TurnOutcome } from './turn-outcome.js'

/** What a maintenance job may work with. */
export interface MaintenanceContext {
  readonly session: Session
  /** Aborts when the job is cancelled. The agent waits for the job to stop. */
  readonly signal: AbortSignal
}

/** What a cancel did. */
export interface Cancellation {
  /** The input that was queued and is discarded; the log says so too. */
  readonly discarded: readonly UserMessage[]
  /** Resolves once what was cancelled has ended, with everything it left in the log. */
  readonly done: Promise<void>
}

/** Drives one session. */
export interface Agent {
  readonly session: Session
  readonly status: AgentStatus
  /** Queues input for a turn of its own, and wakes the agent. @throws HarnessError `INVALID_INPUT` */
  followup(input: AgentInput): Receipt
  /** Queues input for the next step of the running turn, or for a new turn, and wakes the agent. @throws HarnessError `INVALID_INPUT` */
  steer(input: AgentInput): Receipt
  /**
   * Queues input for the next step that anything else causes. It wakes nothing; while a turn runs, the turn does not end
   * before the model has read it. With `plugin`, it is a message of that plugin: it rides along and is never discarded.
   * @throws HarnessError `INVALID_INPUT`
   */
  inject(input: AgentInput, options?: { readonly plugin?: string }): Receipt
  /**
   * Cancels what is running, and discards the input that waits; with `keepInbox` it stays queued until something else
   * wakes the agent. The first cause of a turn wins. Default cause: the user.
   */
  cancel(cause?: AbortCause, options?: { readonly keepInbox?: boolean }): Cancellation
  /**
   * A follow-up, and the outcome of the turn that takes it. Resolves for every ending: a turn that fails, is blocked or
   * is cancelled, input that is discarded, a log that cannot be written. Rejects only for input that is none, with
   * HarnessError `INVALID_INPUT`.
   */
  prompt(input: AgentInput): Promise<TurnOutcome>
  /** Resolves once nothing runs and nothing is about to. */
  whenIdle(): Promise<void>
  /** Calls `listener` for every event of that type. Returns a function that ends it. */
  on<Type extends AgentEvent['type']>(type: Type, listener: (event: EventOf<Type>) => void): () => void
  /** The same events, all of them, for one reader. Ends when the agent is disposed of. */
  events(options?: EventStreamOptions): AsyncIterableIterator<AgentEvent>
  /**
   * Runs `job` while no turn runs: at once, or at the next boundary between turns. Answers what it answers.
   * @throws HarnessError `AGENT_DISPOSED` if the agent was disposed of before the job began
   */
  runMaintenance<T>(job: (context: MaintenanceContext) => Promise<T>): Promise<T>
  /** Cancels what is running with cause `disposed` and starts nothing more. Queued input stays in the log. */
  dispose(): Promise<void>
}

/**
 * Makes the agent that drives `session`, and closes whatever an earlier one left open. Input that is queued in the log
 * waits for something to wake the agent.
 *
 * @throws HarnessError `INVALID_OPTIONS`
 */
export function createAgent(options: AgentOptions): Agent {
  checkOptions(options)
  const { session, model, newId = () => crypto.randomUUID() } = options
  const emitter = createEmitter()
  const inbox = openInbox(session)
  const prompts = new Prompts()
  const streams = new Set<EventStream>()
  const loop: Loop = {
    session,
    model,
    tools: options.tools ?? createToolRuntime(),
    system: options.system,
    config: { provider: model.provider, model: model.modelId, ...options.config },
    hooks: options.hooks === undefined ? [] : [options.hooks].flat(),
    retry: options.retry,
    maxSteps: options.maxSteps ?? 100,
    maxParallelToolCalls: options.maxParallelToolCalls,
    abortGraceMs: options.abortGraceMs,
    inbox,
    callIdentity: callIdentity(session),
    newId,
    emit: emitter.emit,
  }
  let lastOutcome = withoutTurn({ kind: 'completed' })
  /** Counts cancels: a wake that one came after is void. */
  let cancels = 0

  const driver = new Driver({
    parent: options.signal,
    onParentAbort: () => void cancel({ kind: 'parent' }),
    startsTurn: inbox.startsTurn,
    async runTurn(signal) {
      const report = await runTurn(loop, signal, () => driver.state.cancelled)
      lastOutcome = report.outcome
      prompts.turnEnded(report)
      return report.tookInput
    },
    onPhase: status => emitter.emit({ type: 'status', status }),
    onSettled({ resting, cancelled }) {
      if (cancelled !== undefined) lastOutcome = withoutTurn({ kind: 'aborted', cause: cancelled })
      prompts.settle(cancelled, resting ? withoutTurn(lastOutcome.reason) : undefined)
    },
  })
  const unsubscribe = session.subscribe(event => {
    if (event.type === 'inbox/spliced') inbox.readOn()
    const told = agentEvent(event, session.events)
    if (told !== undefined) emitter.emit(told)
  })
  repairOpenWork(session)

  /** Queues input, and wakes the driver. Where it goes is decided before it is inserted, whatever observers do then. */
  function wakeWith(target: 'next-turn' | 'next-step', input: AgentInput): Receipt {
    const message = userMessage(newId(), { kind: 'user' }, input)
    if (driver.state.disposed) return refusedReceipt(message.id)
    const before = cancels
    const receipt = inbox.insert(target, message)
    if (cancels === before) driver.dispatch({ type: 'wake' })
    return receipt
  }

  function cancel(
    cause: AbortCause = { kind: 'user' },
    { keepInbox = false }: { readonly keepInbox?: boolean } = {},
  ): Cancellation {
    cancels++
    const done = driver.activity
    driver.dispatch({ type: 'cancel', cause })
    // The log of a disposed agent may be another agent's by now.
    return { discarded: keepInbox || driver.state.disposed ? [] : discardInput(), done }
  }

  function discardInput(): readonly UserMessage[] {
    const discarded: QueuedInput[] = []
    const drafts = inbox.removal(input => {
      if (!isFromUser(input)) return undefined
      discarded.push(input)
      return 'discarded'
    })
    try {
      inbox.apply(drafts)
    } catch (error) {
      // The cancel itself must not fail: the input stays queued.
      emitter.emit({ type: 'error', error })
      return []
    }
    return discarded.map(({ message }) => message)
  }

  async function prompt(input: AgentInput): Promise<TurnOutcome> {
    let receipt: Receipt
    try {
      receipt = wakeWith('next-turn', input)
    } catch (error) {
      if (HarnessError.is(error) && error.code === 'INVALID_INPUT') throw error
      return withoutTurn({ kind: 'error', failure: toLlmFailure(error) })
    }
    const outcome = prompts.wait(receipt)
    // Nothing will settle: an observer of the insertion cancelled it, or the agent was disposed of.
    if (driver.state.phase === 'idle') {
      const cause: AbortCause = { kind: driver.state.disposed ? 'disposed' : 'user' }
      prompts.settle(cause, withoutTurn({ kind: 'aborted', cause }))
    }
    return outcome
  }

  function events(streamOptions: EventStreamOptions = {}): AsyncIterableIterator<AgentEvent> {
    const stream = createEventStream(streamOptions, () => {
      stopListening()
      streams.delete(stream)
    })
    const stopListening = emitter.onAny(stream.push)
    streams.add(stream)
    if (driver.state.disposed) stream.end()
    return stream.events
  }

  return {
    session,
    get status() {
      return driver.state.phase
    },
    followup: input => wakeWith('next-turn', input),
    steer: input => wakeWith(nextStepTarget(driver.state), input),
    inject(input, { plugin } = {}) {
      const source =
        plugin === undefined ? ({ kind: 'user' } as const) : { kind: 'plugin' as const, name: plugin }
      const message = userMessage(newId(), source, input)
      if (driver.state.disposed) return refusedReceipt(message.id)
      return inbox.insert('next-step', message, 'quiet')
    },
    cancel,
    prompt,
    whenIdle: () => driver.whenIdle(),
    on: emitter.on,
    events,
    runMaintenance: job =>
      driver.runJob(signal => {
        repairOpenWork(session)
        return job({ session, signal })
      }),
    async dispose() {
      driver.dispatch({ type: 'dispose' })
      await driver.activity
      unsubscribe()
      inbox.close()
      for (const stream of streams) stream.end()
    },
  }
}

/** The receipt of input for an agent that was disposed of: it never entered the inbox. */
function refusedReceipt(id: string): Receipt {
  return { id, state: 'discarded', settled: Promise.resolve('discarded'), withdraw: () => false }
}
