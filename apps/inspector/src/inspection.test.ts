import { expect, it } from 'vitest'
import { killedLog } from '../test/sample-log.js'
import { inspect } from './inspection.js'

it.each([
  ['before', killedLog()],
  ['after', killedLog().wait(174_000).owner().repairs()],
])('a call that never started takes no slot, %s repair', (_, log) => {
  const lanes = inspect(log.events).lanes.map(
    ({ label, spans }) =>
      `${label}: ${spans.map(span => ('callId' in span ? span.callId : span.kind)).join(' ')}`,
  )
  expect(lanes.slice(3)).toEqual(['slot 1: k0', 'slot 2: k1', 'not run: k2 k3'])
})

it('a turn and a step that were killed end with the last event of their process, not with their repair', () => {
  const log = killedLog()
  const last = log.now
  const { work } = inspect(log.wait(174_000).owner().repairs().events)
  expect(work.map(({ kind, end, isEndKnown }) => [kind, end - last, isEndKnown])).toEqual([
    ['turn', 0, false],
    ['step', 0, false],
    ['attempt', -1000, true],
  ])
})
