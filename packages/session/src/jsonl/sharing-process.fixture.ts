import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { HarnessError } from '@agent-spine/schema'
import type { SessionEvent } from '../event.js'
import type { OpenedSession } from '../store.js'
import { jsonlStore } from './jsonl-store.js'

/**
 * A process that brings `count` events of its own into a session which another process writes to as well: it opens the
 * session again and again, is refused while the other holds it, writes a few batches, and lets go.
 */

/** What it is told, as its one argument. */
export interface SharingOrders {
  readonly directory: string
  readonly name: string
  readonly count: number
}

/** What it tells: the lease is its own, so many of its events are durable, it was refused, or it is done. */
export type SharingNews =
  | { readonly holds: true }
  | { readonly durable: number }
  | { readonly refused: string }
  | { readonly done: number }

const { directory, name, count } = JSON.parse(process.argv[2] ?? '{}') as SharingOrders
const store = jsonlStore(directory)
const perLease = 1000
const perFlush = 100

let own = 0
while (own < count) {
  try {
    own = await writeSome(await store.open('s'))
  } catch (error) {
    if (!HarnessError.is(error)) throw error
    tell({ refused: error.code })
  }
  // Whoever comes back at once would never let the other in.
  await setTimeout(1)
}
tell({ done: own })

async function writeSome({ events, log }: OpenedSession): Promise<number> {
  tell({ holds: true })
  // An earlier process of the same name may have been killed: what it left is in the log, and nothing else counts.
  let written = events.filter(event => eventName(event) === name).length
  let seq = events.length
  const end = Math.min(count, written + perLease)
  while (written < end) {
    for (let batch = 0; batch < perFlush && written < end; batch++) {
      log.append([{ seq: seq++, time: 0, type: 'tool/dispatch', data: { callId: `${name}_${written++}` } }])
    }
    await log.flush()
    tell({ durable: written })
  }
  await log.close()
  return written
}

function eventName(event: SessionEvent): string {
  return event.type === 'tool/dispatch' ? event.data.callId.replace(/_\d+$/, '') : ''
}

function tell(news: SharingNews): void {
  process.send?.(news)
}
