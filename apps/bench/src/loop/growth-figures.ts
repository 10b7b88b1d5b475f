import { getEventListeners } from 'node:events'
import { createSession, type Session } from '@agent-spine/session'
import type { Figure } from '../session/figure.js'
import { scriptedAgent, type InvariantMode } from './scripted-agent.js'

const turns = 10_000

/** What an agent that has run many turns holds beside its log, and what it left on the signals of others. */
export async function growthFigures(): Promise<Figure[]> {
  return [...(await growth('off')), ...(await growth('incremental'))]
}

async function growth(mode: InvariantMode): Promise<Figure[]> {
  const session = await createSession()
  const { heldBytes, listeners } = await runTurns(session, mode)
  const name = `heap that ${turns.toLocaleString('en')} turns leave beside the log, a turn, invariants ${mode}`
  const note = `of ${session.events.length / turns} events and 4 messages; ${listeners} listeners left on signals`
  return [{ name, value: heldBytes / turns, unit: 'bytes', note }]
}

/** The agent is this function's only: once it has returned, what is still held is the log's. */
async function runTurns(
  session: Session,
  mode: InvariantMode,
): Promise<{ readonly heldBytes: number; readonly listeners: number }> {
  const parent = new AbortController()
  const [withAgent, listeners] = await (async () => {
    const { agent, listenersLeft, release } = scriptedAgent(session, mode, parent.signal)
    for (let turn = 0; turn < turns; turn++) await agent.prompt('go')
    await agent.whenIdle()
    const held = usedHeap()
    const left = listenersLeft() + getEventListeners(parent.signal, 'abort').length
    await release()
    return [held, left] as const
  })()
  return { heldBytes: withAgent - usedHeap(), listeners }
}

function usedHeap(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
