import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fitted, moved, showing, zoomed } from './waterfall-view.js'

const length = fc.integer({ min: 1, max: 10_000_000 })
const share = fc.double({ min: 0, max: 1, noNaN: true })

it('no zoom or move leaves the axis', () => {
  fc.assert(
    fc.property(length, share, fc.double({ min: 0.01, max: 100, noNaN: true }), (all, at, factor) => {
      const whole = fitted(all)
      const near = moved(zoomed(whole, { factor, at: at * all, length: all }), (at - 0.5) * all * 3, all)
      expect(near.from).toBeGreaterThanOrEqual(0)
      expect(near.to).toBeLessThanOrEqual(whole.to + 1e-6)
      expect(near.to).toBeGreaterThan(near.from)
    }),
  )
})

it('what is zoomed at stays where it is', () => {
  expect(zoomed({ from: 100, to: 200 }, { factor: 0.5, at: 150, length: 1000 })).toEqual({
    from: 125,
    to: 175,
  })
})

it('a span that is asked for comes into view, and is not a sliver', () => {
  fc.assert(
    fc.property(length, fc.tuple(share, share), share, (all, [one, other], place) => {
      const [from, to] = [Math.min(one, other) * all, Math.max(one, other) * all] as const
      const view = moved(zoomed(fitted(all), { factor: 0.1, at: place * all, length: all }), 0, all)
      const shown = showing(view, { from, to, length: all })
      const extent = shown.to - shown.from
      expect(Math.min(to, shown.to) - Math.max(from, shown.from)).toBeGreaterThanOrEqual(
        Math.min(to - from, extent) * 0.99 - 1e-6,
      )
      expect(showing(shown, { from, to, length: all }).from).toBeCloseTo(shown.from, 3)
    }),
  )
})
