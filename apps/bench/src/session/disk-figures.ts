import { statSync } from 'node:fs'
import { join } from 'node:path'
import { createSession, type EventDraft, type Session } from '@agent-spine/session'
import { jsonlStore } from '@agent-spine/session/jsonl'
import { timeFigures, type Figure } from './figure.js'
import { chunkDraft, pieceText } from './memory-figures.js'

const scope = { turn: 0, step: 0 }

/** What durability costs in `directory`. */
export async function diskFigures(directory: string): Promise<Figure[]> {
  return [
    ...(await flushFigures(directory)),
    await sharedFlushFigure(directory, 10),
    await sharedFlushFigure(directory, 100),
    ...(await sizeFigures(directory)),
  ]
}

async function flushFigures(directory: string): Promise<Figure[]> {
  const session = await createSession({ store: jsonlStore(directory), id: 'flush' })
  const times: number[] = []
  for (let turn = 0; turn < 300; turn++) {
    session.append('turn/start', { turn })
    const startedAt = performance.now()
    await session.flush()
    times.push((performance.now() - startedAt) * 1000)
    session.append('turn/end', { turn, reason: { kind: 'completed' } })
  }
  await session.close()
  return timeFigures('append and flush to the device', times)
}

/** How many appends a second are made durable when `waiters` wait for one each. */
async function sharedFlushFigure(directory: string, waiters: number): Promise<Figure> {
  const session = await createSession({ store: jsonlStore(directory), id: `waiters-${waiters}` })
  const each = 50
  const startedAt = performance.now()
  const wait = async () => {
    for (let count = 0; count < each; count++) {
      session.append('inbox/spliced', { target: 'next-turn', start: 0, removed: [], inserted: [] })
      await session.flush()
    }
  }
  await Promise.all(Array.from({ length: waiters }, wait))
  const seconds = (performance.now() - startedAt) / 1000
  await session.close()
  return { name: `durable appends, ${waiters} waiting`, value: (waiters * each) / seconds, unit: 'a second' }
}

/** An answer of 20 000 chunks, flushed as often as a long answer reaches the system by itself. */
async function sizeFigures(directory: string): Promise<Figure[]> {
  const chunks = 20_000
  const figures: Figure[] = []
  for (const perFlush of [chunks, 1000, 50]) {
    const id = `size-${perFlush}`
    const session = await createSession({ store: jsonlStore(directory), id, clock: tickingClock() })
    const file = join(directory, `${id}.jsonl`)
    session.append('turn/start', { turn: 0 })
    session.append('step/start', scope)
    session.append('attempt/start', { ...scope, attempt: 0 })
    await session.flush()
    const before = statSync(file).size
    for (let count = 1; count <= chunks; count++) {
      session.appendAll([chunkDraft(pieceText)])
      if (count % perFlush === 0) await session.flush()
    }
    const after = statSync(file).size
    // A record holds what was appended between two flushes, and at most 64 KB.
    const records = Math.max(chunks / perFlush, Math.floor((after - before) / (64 * 1024)))
    const text = chunks * Buffer.byteLength(pieceText)
    figures.push({
      name: `20 000 chunks of 20 characters on disk, a record for ${perFlush} at most`,
      value: after - before,
      unit: 'bytes',
      atMost: text + 6 * chunks + 200 * records,
      note: `${text} of text, ${((after - before - text) / chunks).toFixed(2)} a chunk beyond it`,
    })
    session.appendAll([answer(pieceText.repeat(chunks), session)])
    await session.flush()
    if (perFlush === chunks) {
      const value = statSync(file).size - after
      figures.push({ name: 'the assembled message', value, unit: 'bytes', atMost: text + 1000 })
    }
    await session.close()
  }
  return figures
}

function answer(text: string, session: Session): EventDraft<'assistant/message'> {
  const source = { kind: 'model', provider: 'acme', model: 'large' } as const
  return {
    type: 'assistant/message',
    data: { ...scope, message: { id: 'a', role: 'assistant', source, content: [{ type: 'text', text }] } },
    sourceEventSeqs: session.events.flatMap(({ type, seq }) => (type === 'assistant/chunk' ? [seq] : [])),
  }
}

/** Twenty milliseconds from chunk to chunk. */
function tickingClock(): () => number {
  let now = 1_700_000_000_000
  return () => (now += 20)
}
