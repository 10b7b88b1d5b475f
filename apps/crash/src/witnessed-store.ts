import { crc32 } from 'node:zlib'
import type { SessionEvent, SessionLog, SessionStore } from '@agent-spine/session'
import type { Witness } from './evidence.js'

/** A fault to plant, to see that the campaign finds it: a flush that resolves before anything is written. */
export type Plant = 'lying-flush'

/** The checksum of a log that goes on with `event`. */
export function digestAfter(digest: number, event: SessionEvent): number {
  return crc32(JSON.stringify(event), digest)
}

/** `store`, with a witness of all that its flushes promise. */
export function witnessedStore(store: SessionStore, witness: Witness, plant?: Plant): SessionStore {
  return {
    ...store,
    async create(header) {
      const log = await store.create(header)
      witness.record({ kind: 'created' })
      return witnessedLog(log, [], { witness, plant })
    },
    async open(id) {
      const opened = await store.open(id)
      return { ...opened, log: witnessedLog(opened.log, opened.events, { witness, plant }) }
    },
  }
}

function witnessedLog(
  log: SessionLog,
  history: readonly SessionEvent[],
  { witness, plant }: { readonly witness: Witness; readonly plant: Plant | undefined },
): SessionLog {
  let digest = history.reduce(digestAfter, 0)
  let seq = history.length - 1

  async function promising(work: () => Promise<void>): Promise<void> {
    const promise = { kind: 'durable', seq, digest } as const
    await work()
    witness.record(promise)
  }

  return {
    append(events) {
      log.append(events)
      digest = events.reduce(digestAfter, digest)
      seq += events.length
    },
    flush: () => promising(plant === 'lying-flush' ? () => Promise.resolve() : () => log.flush()),
    close: () => promising(() => log.close()),
  }
}
