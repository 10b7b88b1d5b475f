import { createAgent, type Agent, type AgentOptions } from '@agent-spine/agent-loop'
import { auditLog, guardModel, guardSession, legalityProblems } from '@agent-spine/invariant'
import type { LanguageModel, ModelRequest } from '@agent-spine/model'
import { replaySession, type Session, type SessionEvent } from '@agent-spine/session'
import { createToolRuntime, defineTool } from '@agent-spine/tools'
import { expect } from 'vitest'

/** An agent whose log and requests are held to the invariants, and whose requests to what every provider accepts. */
export interface WireTurn {
  readonly agent: Agent
  readonly session: Session
}

export function wireTurn(
  model: LanguageModel,
  {
    events = [],
    ...options
  }: Partial<Omit<AgentOptions, 'model'>> & { events?: readonly SessionEvent[] } = {},
): WireTurn {
  const session = replaySession(events, { id: 'test', clock: () => 1000 })
  guardSession(session)
  let inputs = 0
  const agent = createAgent({
    newId: () => `input_${++inputs}`,
    tools: createToolRuntime({ tools: [readFile, now] }),
    ...options,
    session,
    model: guardModel(legal(model), session, { mode: 'full' }),
  })
  return { agent, session }
}

/** What the log says once the turn is over. */
export function expectSound({ session }: WireTurn): void {
  expect(auditLog(session.events)).toEqual([])
}

export const readFile = defineTool({
  name: 'read_file',
  description: 'Reads a file.',
  parameters: { path: { type: 'string', required: true } },
  isConcurrencySafe: () => true,
  execute: ({ path }) => `text of ${path}`,
})

const now = defineTool({
  name: 'now',
  description: 'Tells the time.',
  parameters: {},
  execute: () => 'noon',
})

function legal(model: LanguageModel): LanguageModel {
  return {
    ...model,
    stream: (request: ModelRequest) => {
      expect(legalityProblems(request.messages, 'strict')).toEqual([])
      return model.stream(request)
    },
  }
}
