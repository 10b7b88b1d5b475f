import fc from 'fast-check'
import { expect, it } from 'vitest'
import { scrollToRow, virtualHeight, virtualWindow } from './virtual-window.js'

const list = fc.record({
  count: fc.integer({ min: 1, max: 2_000_000 }),
  rowHeight: fc.constant(24),
  viewportHeight: fc.integer({ min: 24, max: 2000 }),
})

it('the rows drawn cover the viewport, and are few (V1)', () => {
  fc.assert(
    fc.property(list, fc.double({ min: 0, max: 1, noNaN: true }), (given, share) => {
      const scrollTop = share * Math.max(0, virtualHeight(given) - given.viewportHeight)
      const { first, end, top } = virtualWindow(given, scrollTop)
      expect(end - first).toBeLessThan(given.viewportHeight / given.rowHeight + 20)
      const bottom = top + (end - first) * given.rowHeight
      expect(top).toBeLessThanOrEqual(scrollTop + 0.01)
      const shownTo = Math.min(scrollTop + given.viewportHeight, virtualHeight(given))
      expect(bottom).toBeGreaterThanOrEqual(shownTo - 0.01)
    }),
  )
})

it.each([10, 100_000, 3_000_000])('of %i rows, the first and the last can be reached (V2)', count => {
  const given = { count, rowHeight: 24, viewportHeight: 600 }
  expect(virtualHeight(given)).toBeLessThanOrEqual(8_000_000)
  expect(virtualWindow(given, 0).first).toBe(0)
  expect(virtualWindow(given, Math.max(0, virtualHeight(given) - 600)).end).toBe(count)
})

it('any row can be scrolled to, and a row in view is left where it is', () => {
  fc.assert(
    fc.property(list, fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), (given, number, share) => {
      const row = number % given.count
      const from = share * Math.max(0, virtualHeight(given) - given.viewportHeight)
      const to = scrollToRow(given, row, from)
      const { first, end } = virtualWindow(given, to)
      expect(row >= first && row < end).toBe(true)
      expect(scrollToRow(given, row, to)).toBeCloseTo(to, 3)
    }),
  )
})
