import type { SessionEvent } from '@agent-spine/session'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hostileLog, longLog, sampleLog } from '../test/sample-log.js'
import { packEvents, unpackInto, type PackedEvent } from './packed-events.js'

function throughJson(events: readonly SessionEvent[]): readonly SessionEvent[] {
  const unpacked: SessionEvent[] = []
  const packed = JSON.parse(JSON.stringify([...packEvents(events)])) as PackedEvent[]
  for (const one of packed) unpackInto(unpacked, one)
  return unpacked
}

it.each([
  ['empty', []],
  ['sample', sampleLog()],
  ['hostile', hostileLog()],
  ['long', longLog(3000)],
])('the %s log comes back as it was (K1)', (_name, events) => {
  expect(throughJson(events)).toStrictEqual(JSON.parse(JSON.stringify(events)))
})

it('any chunks come back as they were, what is more or less than a piece of text too (K1, K2)', () => {
  // Mostly the same, so that most neighbours differ in one thing or in none.
  const mostly = <Value>(usual: Value, ...others: Value[]) =>
    fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, fc.constantFrom(...others))
  const few = mostly(0, 1)
  const piece = fc.record({
    type: mostly('text-delta', 'reasoning-delta', 'tool-call-delta'),
    index: few,
    text: fc.string({ maxLength: 3 }),
  })
  const chunk = fc.oneof(
    { weight: 12, arbitrary: piece },
    fc.record({ type: fc.constant('text-delta'), index: few, text: fc.string(), more: few }),
    fc.record({ type: fc.constant('block-end'), index: few }),
    fc.record({ type: fc.constant('finish'), reason: fc.constant({ kind: 'stop' }), index: few }),
  )
  const event = fc.record({
    time: fc.integer({ min: 0, max: 20 }),
    data: fc.record({ turn: few, step: few, attempt: few, chunk }),
    isCloser: mostly(false, true),
    skipsOne: mostly(false, true),
  })
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), drafts => {
      let seq = 0
      const events = drafts.map(({ skipsOne, isCloser, ...draft }) => {
        seq += skipsOne ? 2 : 1
        return { seq, type: 'assistant/chunk', ...draft, ...(isCloser && { closer: true }) }
      }) as unknown as SessionEvent[]
      expect(throughJson(events)).toStrictEqual(JSON.parse(JSON.stringify(events)))
    }),
  )
})

it('any cited seqs come back as they were (K1, K3)', () => {
  const seqs = fc.oneof(
    fc.array(fc.nat(9), { maxLength: 6 }),
    fc
      .tuple(fc.nat(99), fc.nat(99))
      .map(([first, more]) => Array.from({ length: more }, (_, at) => first + at)),
  )
  const [first] = sampleLog()
  fc.assert(
    fc.property(seqs, sourceEventSeqs => {
      const event = { ...first, sourceEventSeqs } as unknown as SessionEvent
      expect(throughJson([event])).toStrictEqual([event])
    }),
  )
})

it('a streamed answer is one value, and its citation two numbers (K2, K3)', () => {
  const packed = [...packEvents(longLog(100))]
  expect(packed.filter(one => Array.isArray(one))).toHaveLength(1)
  expect(JSON.stringify(packed).length).toBeLessThan(JSON.stringify(longLog(100)).length / 2)
})
