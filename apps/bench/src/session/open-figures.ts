import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { SessionEvent, SessionLog } from '@agent-spine/session'
import { jsonlStore } from '@agent-spine/session/jsonl'
import type { Figure } from './figure.js'
import { chunkDraft, pieceText } from './memory-figures.js'
import type { OpenTimes } from './open-process.js'

const length = 1_000_000

/** How a log is filled, from seq 3 on. */
type Fill = (seq: number) => Pick<SessionEvent, 'type' | 'data'>

/** How long it takes to open a million events, each kind of log in a process of its own. */
export async function openFigures(directory: string): Promise<Figure[]> {
  const packed: Fill = () => chunkDraft(pieceText)
  // Nothing that could share a record with its neighbour, however small.
  const single: Fill = seq => ({
    type: 'inbox/spliced',
    data: {
      target: 'next-turn',
      start: 0,
      removed: [],
      inserted: [],
      seq,
    } as SessionEvent<'inbox/spliced'>['data'],
  })
  return [
    ...(await openTimes(directory, 'packed', packed)),
    ...(await openTimes(directory, 'single', single)),
  ]
}

async function openTimes(directory: string, id: string, fill: Fill): Promise<Figure[]> {
  const log = await jsonlStore(directory, { durability: 'os' }).create({ id, createdAt: 0 })
  await writeEvents(log, fill)
  await log.close()
  const program = fileURLToPath(new URL('open-process.js', import.meta.url))
  const answer = execFileSync(process.execPath, ['--expose-gc', program, directory, id], { encoding: 'utf8' })
  const { storeMs, sessionMs, heapBytes } = JSON.parse(answer) as OpenTimes
  const what = `1 000 000 events, ${id === 'packed' ? 'runs of chunks' : 'each a record of its own'}`
  return [
    { name: `store.open: ${what}`, value: storeMs, unit: 'ms', atMost: 2000 },
    {
      name: `openSession: ${what}`,
      value: sessionMs,
      unit: 'ms',
      note: 'with every rule of the log checked again',
    },
    { name: `heap an event: ${what}`, value: heapBytes / length, unit: 'bytes' },
  ]
}

async function writeEvents(log: SessionLog, fill: Fill): Promise<void> {
  const scope = { turn: 0, step: 0 }
  const opening = [
    { type: 'turn/start', data: { turn: 0 } },
    { type: 'step/start', data: scope },
    { type: 'attempt/start', data: { ...scope, attempt: 0 } },
  ]
  for (let seq = 0; seq < length; seq++) {
    const event = { seq, time: 1_700_000_000_000 + 20 * seq, ...(opening[seq] ?? fill(seq)) }
    log.append([event as SessionEvent])
    if (seq % 10_000 === 0) await log.flush()
  }
}
