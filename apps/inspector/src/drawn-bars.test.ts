import fc from 'fast-check'
import { expect, it } from 'vitest'
import { drawnBars, type AxisSpan } from './drawn-bars.js'

/** Spans of one lane: in order, without overlap. */
const lane = fc
  .array(fc.record({ gap: fc.nat(50), length: fc.nat(200), severity: fc.constantFrom(0, 0, 0, 1) }), {
    maxLength: 300,
    size: 'max',
  })
  .map(parts => {
    const spans: AxisSpan[] = []
    let at = 0
    for (const { gap, length, severity } of parts) {
      spans.push({ from: at + gap, to: at + gap + length, severity })
      at += gap + length
    }
    return spans
  })
const view = fc
  .record({
    from: fc.nat(15_000),
    extent: fc.integer({ min: 1, max: 30_000 }),
    width: fc.integer({ min: 50, max: 1500 }),
  })
  .map(({ from, extent, width }) => ({ from, to: from + extent, width }))

it('every span of the view is in exactly one bar, and none outside it (D1)', () => {
  fc.assert(
    fc.property(lane, view, (spans, shown) => {
      const covered = drawnBars(spans, shown).flatMap(({ first, last }) =>
        Array.from({ length: last - first + 1 }, (_, index) => first + index),
      )
      const expected = spans.flatMap(({ from, to }, index) =>
        to >= shown.from && from <= shown.to ? [index] : [],
      )
      expect(covered).toEqual(expected)
    }),
  )
})

it('bars never overlap, and are no more than fit (D2)', () => {
  fc.assert(
    fc.property(lane, view, (spans, shown) => {
      const bars = drawnBars(spans, shown)
      for (const [index, bar] of bars.entries()) {
        const before = bars[index - 1]
        if (before !== undefined) expect(bar.x).toBeGreaterThanOrEqual(before.x + before.width - 1e-6)
      }
      expect(bars.length).toBeLessThanOrEqual(shown.width / 4 + 2)
    }),
  )
})

it('among many spans, one problem marks its place and not the whole lane (D3)', () => {
  const spans = Array.from({ length: 10_000 }, (_, index) => ({
    from: index,
    to: index + 1,
    severity: index === 5000 ? 1 : 0,
  }))
  const bars = drawnBars(spans, { from: 0, to: 10_000, width: 1000 })
  const [bad, ...more] = bars.filter(({ severity }) => severity > 0)
  expect(more).toEqual([])
  expect(bad?.width).toBeLessThan(60)
  expect(Math.abs((bad?.x ?? 0) - 500)).toBeLessThan(60)
})

it('a bar is as bad as the worst of its spans (D3)', () => {
  fc.assert(
    fc.property(lane, view, (spans, shown) => {
      for (const { first, last, severity } of drawnBars(spans, shown)) {
        expect(severity).toBe(Math.max(...spans.slice(first, last + 1).map(span => span.severity)))
      }
    }),
  )
})
