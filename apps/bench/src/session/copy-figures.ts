import { timeFigures, type Figure } from './figure.js'

const copies = 300

/**
 * What one copy of any array of 50 000 references costs on this machine. V8 takes fresh pages for an array of that size
 * and gives them back, so that it is the system's page faults that are measured.
 */
export function copyFigures(): Figure[] {
  const items = Array.from({ length: 50_000 }, (_, index) => ({ index }))
  const times: number[] = []
  let length = 0
  const before = process.resourceUsage()
  for (let copy = 0; copy < copies; copy++) {
    const startedAt = performance.now()
    length += items.slice().length
    times.push((performance.now() - startedAt) * 1000)
  }
  const after = process.resourceUsage()
  const faults = Math.max(after.minorPageFault - before.minorPageFault, 1)
  return [
    ...timeFigures('Array.prototype.slice alone', times, {
      note: `${length / copies} items, for comparison`,
    }),
    {
      name: 'a page fault of such a copy',
      value: (after.systemCPUTime - before.systemCPUTime) / faults,
      unit: 'µs',
      note: `of the system's time; ${Math.round(faults / copies)} of them a copy`,
    },
  ]
}
