import { openSession } from '@agent-spine/session'
import { jsonlStore } from '@agent-spine/session/jsonl'

/** Opens the log of a directory and says what it took. A process of its own, whose heap holds nothing else. */
export interface OpenTimes {
  readonly storeMs: number
  readonly sessionMs: number
  /** Of the events alone. */
  readonly heapBytes: number
}

const [, , directory = '', id = ''] = process.argv
const store = jsonlStore(directory, { durability: 'os' })
const ofStore = await openStore()
usedHeap()
const startedAt = performance.now()
const session = await openSession(store, id)
const sessionMs = performance.now() - startedAt
await session.close()
console.log(JSON.stringify({ ...ofStore, sessionMs } satisfies OpenTimes))

async function openStore(): Promise<Omit<OpenTimes, 'sessionMs'>> {
  const heapBefore = usedHeap()
  const openedAt = performance.now()
  const { log, events } = await store.open(id)
  const storeMs = performance.now() - openedAt
  const heapBytes = usedHeap() - heapBefore
  await log.close()
  if (events.length === 0) throw new Error(`expected a log with events, found none in ${id}`)
  return { storeMs, heapBytes }
}

function usedHeap(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
