import fc from 'fast-check'
import { expect, it } from 'vitest'
import { assignLanes } from './lanes.js'

const spans = fc.array(
  fc.tuple(fc.nat(60), fc.nat(20)).map(([startSeq, length]) => ({ startSeq, endSeq: startSeq + length })),
)

it('no two spans of a lane overlap (N1)', () => {
  fc.assert(
    fc.property(spans, given => {
      const lanes = assignLanes(given)
      for (const [one, first] of given.entries()) {
        for (const [other, second] of given.entries()) {
          if (one >= other || lanes[one] !== lanes[other]) continue
          expect(first.endSeq < second.startSeq || second.endSeq < first.startSeq).toBe(true)
        }
      }
    }),
  )
})

it('there are no more lanes than spans open at one moment (N2)', () => {
  fc.assert(
    fc.property(spans, given => {
      const open = (at: number) =>
        given.filter(({ startSeq, endSeq }) => startSeq <= at && at <= endSeq).length
      const most = Math.max(0, ...given.map(({ startSeq }) => open(startSeq)))
      expect(Math.max(-1, ...assignLanes(given)) + 1).toBe(most)
    }),
  )
})
