import { getEventListeners } from 'node:events'
import { createAgent, type Agent } from '@agent-spine/agent-loop'
import { guardModel, guardSession } from '@agent-spine/invariant'
import type { LanguageModel, StreamChunk } from '@agent-spine/model'
import type { Session } from '@agent-spine/session'
import { createToolRuntime } from '@agent-spine/tools'
import { noop } from '../tools/noop-tools.js'

export const invariantModes = ['off', 'incremental', 'full'] as const
export type InvariantMode = (typeof invariantModes)[number]

/** An agent whose model and tool cost next to nothing, so that what a turn takes is the loop's own time. */
export interface ScriptedAgent {
  readonly agent: Agent
  /** Abort listeners found on the signals of turns that had ended, so far. */
  readonly listenersLeft: () => number
  /** Lets go of everything but the log. */
  readonly release: () => Promise<void>
}

export function scriptedAgent(session: Session, mode: InvariantMode, signal?: AbortSignal): ScriptedAgent {
  let listenersLeft = 0
  let lastTurn: AbortSignal | undefined
  const model: LanguageModel = {
    provider: 'bench',
    modelId: 'bench',
    async *stream(request): AsyncGenerator<StreamChunk> {
      if (lastTurn !== request.signal && lastTurn !== undefined) {
        listenersLeft += getEventListeners(lastTurn, 'abort').length
      }
      lastTurn = request.signal
      const answersCalls = request.messages.at(-1)?.source.kind === 'tool'
      // A stream is asynchronous, whoever makes it.
      await Promise.resolve()
      yield* answersCalls ? closingChunks : callingChunks
    },
  }
  const unguard = mode === 'off' ? undefined : guardSession(session)
  const agent = createAgent({
    session,
    model: mode === 'off' ? model : guardModel(model, session, { mode }),
    tools: createToolRuntime({ tools: [noop] }),
    ...(signal !== undefined && { signal }),
  })
  return {
    agent,
    listenersLeft: () => listenersLeft,
    async release() {
      await agent.dispose()
      unguard?.()
    },
  }
}

const callingChunks: readonly StreamChunk[] = [
  { type: 'tool-call-delta', index: 0, id: '', name: 'noop', text: '{}' },
  { type: 'finish', reason: { kind: 'tool-calls' } },
]

const closingChunks: readonly StreamChunk[] = [
  { type: 'text-delta', index: 0, text: 'done' },
  { type: 'finish', reason: { kind: 'stop' } },
]
