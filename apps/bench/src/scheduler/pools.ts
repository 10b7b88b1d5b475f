import { Readable } from 'node:stream'
import { mapLimit } from 'async'
import pLimit from 'p-limit'
import pMap from 'p-map'
import PQueue from 'p-queue'
import type { BatchCandidate } from '../measure-batches.js'

const concurrency = 10

/** The body of every call: asynchronous, and otherwise nothing. */
export function body(item: number): Promise<number> {
  return Promise.resolve(item)
}

/** Pools that people reach for. None has barriers, an ordered commit, drain before settling, or one outcome per call. */
export function pools(items: readonly number[]): BatchCandidate[] {
  return [
    { name: 'bare loop', run: () => bareLoop(items), note: 'workers over a shared index; the limit' },
    {
      name: 'async.mapLimit',
      // The library tells a promise from a callback by the function being `async`.
      run: () => mapLimit([...items], concurrency, async (item: number) => await body(item)),
    },
    { name: 'p-map', run: () => pMap(items, body, { concurrency }) },
    { name: 'Readable.map', run: () => Readable.from(items).map(body, { concurrency }).toArray() },
    {
      name: 'p-limit',
      run: () => {
        const limit = pLimit(concurrency)
        return Promise.all(items.map(item => limit(body, item)))
      },
    },
    {
      name: 'p-queue',
      run: () => {
        const queue = new PQueue({ concurrency })
        return Promise.all(items.map(item => queue.add(() => body(item))))
      },
    },
  ]
}

async function bareLoop(items: readonly number[]): Promise<number[]> {
  const results = new Array<number>(items.length)
  let next = 0
  const work = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++)
      results[index] = await body(items[index] ?? 0)
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return results
}
