import { replaySession, type EventDraft, type Session } from '@agent-spine/session'
import { copyFigures } from '../session/copy-figures.js'
import { timeFigures, type Figure } from '../session/figure.js'
import { invariantModes, scriptedAgent, type InvariantMode } from './scripted-agent.js'

/** What the loop itself takes for a turn of two steps and one call, after so many messages. */
export async function turnFigures(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const messages of [100, 10_000, 50_000]) {
    for (const mode of invariantModes) figures.push(...(await turnTimes(messages, mode)))
  }
  // Every request is an array of its own: two of them in each of these turns.
  return [...figures, ...copyFigures()]
}

async function turnTimes(messages: number, mode: InvariantMode): Promise<Figure[]> {
  const { agent, release } = scriptedAgent(conversationOf(messages), mode)
  const turns = mode === 'full' && messages > 1000 ? 10 : 100
  const times: number[] = []
  for (let turn = -5; turn < turns; turn++) {
    const startedAt = performance.now()
    const { reason } = await agent.prompt('go')
    const tookMs = performance.now() - startedAt
    if (reason.kind !== 'completed') throw new Error(`expected a completed turn, found ${reason.kind}`)
    if (turn >= 0) times.push(tookMs * 1000)
  }
  await release()
  const bounded = mode === 'incremental' && messages === 50_000
  const name = `a turn at ${messages.toLocaleString('en')} messages, invariants ${mode}`
  return timeFigures(name, times, { note: 'two steps, one call', ...(bounded && { atMost: 5000 }) })
}

/** A session in memory with that many messages, half of them the user's. */
function conversationOf(messages: number): Session {
  const session = replaySession([])
  for (let turn = 0; turn < messages / 2; turn++) session.appendAll(turnDrafts(turn))
  return session
}

function turnDrafts(turn: number): EventDraft[] {
  const scope = { turn, step: 0 }
  const content = [{ type: 'text', text: `text ${turn}` }] as const
  const model = { kind: 'model', provider: 'bench', model: 'bench' } as const
  return [
    { type: 'turn/start', data: { turn } },
    { type: 'step/start', data: scope },
    {
      type: 'user/message',
      data: { message: { id: `u${turn}`, role: 'user', source: { kind: 'user' }, content } },
      surfaceOp: 'append',
    },
    {
      type: 'assistant/message',
      data: { ...scope, message: { id: `a${turn}`, role: 'assistant', source: model, content } },
      surfaceOp: 'append',
    },
    { type: 'step/end', data: scope },
    { type: 'turn/end', data: { turn, reason: { kind: 'completed' } } },
  ]
}
