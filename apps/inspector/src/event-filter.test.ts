import { describe, expect, it } from 'vitest'
import { sampleLog } from '../test/sample-log.js'
import { parseFilter, passes, searchTextOf, type EventKind } from './event-filter.js'

const events = sampleLog()

function found(text: string, kind: EventKind = 'everything') {
  const filter = parseFilter(text, kind)
  return events.filter(event => passes(event, filter, searchTextOf))
}
const seqs = (text: string) => found(text).map(({ seq }) => seq)
const types = (text: string, kind?: EventKind) =>
  [...new Set(found(text, kind).map(({ type }) => type))].sort()

describe('a filter', () => {
  it('that says nothing lets all pass', () => {
    expect(found('')).toEqual(events)
    expect(found('  ""  ')).toEqual(events)
  })

  it('wants every word, in any case (E1)', () => {
    expect(found('DEPLOY').length).toBeGreaterThan(0)
    expect(found('deploy production').length).toBeLessThan(found('deploy').length)
    expect(found('deploy nowhere')).toEqual([])
    expect(found('"the path leaves"').map(({ seq }) => seq)).toEqual([31])
  })

  it.each([
    ['seq:10', [10]],
    ['seq:10-12', [10, 11, 12]],
    ['seq:10 seq:12', [10, 12]],
    ['call:c4', [16, 30, 31]],
    ['call:c4 type:tool/', [30, 31]],
    ['turn:1 type:step/', [47, 62]],
  ])('%s (E2)', (text, expected) => {
    expect(seqs(text)).toEqual(expected)
  })

  it('finds what went wrong (E2)', () => {
    expect(types('is:problem')).toEqual(['tool/call', 'tool/result', 'turn/end'])
    expect(seqs('is:problem turn:0')).toEqual([31])
  })

  it.each(['seq:ten', 'is:nothing', 'turn:x', 'turn:1-2', 'seq:', 'type:', 'other:word'])(
    '%s is a plain word (E3)',
    text => {
      expect(parseFilter(text, 'everything').words).toEqual([text])
    },
  )

  it('has groups that need no typing', () => {
    expect(types('', 'chunks')).toEqual(['assistant/chunk'])
    expect(types('', 'no chunks')).not.toContain('assistant/chunk')
    expect(types('', 'calls')).toEqual(['tool/call', 'tool/dispatch', 'tool/result'])
    expect(types('', 'messages')).toEqual(['assistant/message', 'tool/result', 'user/message'])
  })
})
