import fc from 'fast-check'
import { expect, it } from 'vitest'
import { noteBeside } from './bar-note.js'

it('goes to the right where there is room, else to the left, else nowhere', () => {
  const bar = { from: 200, to: 210 }
  expect(noteBeside('report', bar, { from: 0, to: 400 })?.from).toBeGreaterThan(bar.to)
  expect(noteBeside('report', bar, { from: 0, to: 220 })?.to).toBeLessThan(bar.from)
  expect(noteBeside('report', bar, { from: 190, to: 220 })).toBeUndefined()
})

it('never covers its bar, and never leaves what is free', () => {
  const pixels = fc.nat(600)
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), pixels, pixels, pixels, pixels, (text, ...ends) => {
      const [from, barFrom, barTo, to] = ends.sort((one, other) => one - other)
      const note = noteBeside(text, { from: barFrom, to: barTo }, { from, to })
      if (note === undefined) return
      expect(note.from >= barTo || note.to <= barFrom).toBe(true)
      expect(note.from).toBeGreaterThanOrEqual(from)
      expect(note.to).toBeLessThanOrEqual(to)
    }),
  )
})
