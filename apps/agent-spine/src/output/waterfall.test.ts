import { expect, it } from 'vitest'
import { peakOverlap, waterfall } from './waterfall.js'

const spans = [
  { title: 'one', start: 0, end: 1000 },
  { title: 'three', start: 500, end: 2000 },
  { title: 'late', start: 2000, end: 2000 },
]

it('draws each span where it ran', () => {
  expect(waterfall(spans, 8)).toBe(
    ['one    ████      1.00 s', 'three    ██████  1.50 s', 'late          █  0.00 s', '']
      .join('\n')
      .replace('late          █ ', 'late          █ '),
  )
})

it('counts how many ran at one moment', () => {
  expect(peakOverlap(spans)).toBe(2)
  expect(peakOverlap([])).toBe(0)
})
