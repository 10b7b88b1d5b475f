import type { BatchComparison } from '../measure-batches.js'
import { pools } from './pools.js'
import { spine, type Mix } from './spine.js'

const mixes: readonly Mix[] = ['parallel', 'exclusive', 'alternating', 'keyed']
const sizes = [1_000, 10_000, 100_000]

/** Everything `bench scheduler` compares: no-op tasks at concurrency 10. */
export function schedulerComparisons(): BatchComparison[] {
  return sizes.map(size => {
    const items = Array.from({ length: size }, (_, index) => index)
    return {
      title: `${size.toLocaleString('en')} no-op calls at concurrency 10, time a call`,
      size,
      reference: 'p-limit',
      candidates: [...mixes.flatMap(mix => spine(items, mix)), ...pools(items)],
    }
  })
}
