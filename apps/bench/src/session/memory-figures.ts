import { createSession, type EventDraft, type Session } from '@agent-spine/session'
import { copyFigures } from './copy-figures.js'
import { timeFigures, type Figure } from './figure.js'

const scope = { turn: 0, step: 0 }
/** Twenty characters, as a model streams them. */
export const pieceText = 'twenty characters, '.padEnd(20, '.')

export function chunkDraft(text: string): EventDraft<'assistant/chunk'> {
  return {
    type: 'assistant/chunk',
    data: { ...scope, attempt: 0, chunk: { type: 'text-delta', index: 0, text } },
  }
}

/** What a session in memory costs. */
export async function memoryFigures(): Promise<Figure[]> {
  return [...(await appendFigures()), ...(await deriveFigures())]
}

async function appendFigures(): Promise<Figure[]> {
  const rounds = 20
  const perRound = 10_000
  const times: number[] = []
  const session = await openAttempt()
  // Texts of their own, as they come from a network: one shared text would hide what text costs.
  const texts = Array.from({ length: perRound * rounds }, (_, index) => `${index}`.padEnd(20, '.'))
  const heapBefore = usedHeap()
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now()
    for (let index = round * perRound; index < (round + 1) * perRound; index++) {
      const chunk = { type: 'text-delta', index: 0, text: texts[index] ?? '' } as const
      session.append('assistant/chunk', { turn: 0, step: 0, attempt: 0, chunk })
    }
    times.push(((performance.now() - startedAt) / perRound) * 1000)
  }
  const heap = usedHeap()
  const figures = timeFigures('append of a chunk', times, { atMost: 2, note: '10 000 at a time' })
  if (heap === undefined || heapBefore === undefined) return figures
  if (texts.length === 0) return figures
  const value = (heap - heapBefore) / session.events.length
  const note = 'beyond its text'
  return [...figures, { name: 'heap of a chunk event', value, unit: 'bytes', atMost: 250, note }]
}

async function deriveFigures(): Promise<Figure[]> {
  const session = await createSession()
  for (let index = 0; index < 50_000; index++) say(session, index)
  session.deriveMessages()
  const conversation: number[] = []
  const array: number[] = []
  for (let index = 0; index < 300; index++) {
    say(session, index)
    conversation.push(time(() => session.conversation().at(-1)))
    array.push(time(() => session.deriveMessages()))
  }
  const note = 'after one append, at 50 000 messages'
  const copy = `${note}: one copy of an array of 400 KB`
  return [
    ...timeFigures('conversation()', conversation, { atMost: 100, note }),
    ...timeFigures('deriveMessages()', array, { atMost: 100, note: copy }),
    ...copyFigures(),
  ]
}

function say(session: Session, index: number): void {
  session.append('user/message', {
    message: {
      id: `u${index}`,
      role: 'user',
      source: { kind: 'user' },
      content: [{ type: 'text', text: 'hello' }],
    },
  })
}

/** In microseconds. */
function time(work: () => unknown): number {
  const startedAt = performance.now()
  work()
  return (performance.now() - startedAt) * 1000
}

async function openAttempt(): Promise<Session> {
  const session = await createSession()
  session.append('turn/start', { turn: 0 })
  session.append('step/start', scope)
  session.append('attempt/start', { ...scope, attempt: 0 })
  return session
}

/** In bytes; nothing where Node does not let us collect garbage first. */
function usedHeap(): number | undefined {
  if (globalThis.gc === undefined) return undefined
  globalThis.gc()
  return process.memoryUsage().heapUsed
}
