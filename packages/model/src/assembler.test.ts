import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BlockAssembler } from './assembler.js'
import type { StreamChunk } from './chunk.js'

function assemble(chunks: readonly StreamChunk[]): BlockAssembler {
  const assembler = new BlockAssembler()
  for (const chunk of chunks) assembler.push(chunk)
  return assembler
}

const stop: StreamChunk = { type: 'finish', reason: { kind: 'stop' } }
const text = (index: number, value: string): StreamChunk => ({ type: 'text-delta', index, text: value })

describe('A1, A2: blocks and their order', () => {
  it('assembles a stream of deltas alone, interleaved by index', () => {
    const assembler = assemble([
      { type: 'reasoning-delta', index: 0, text: 'hm' },
      text(1, 'Hel'),
      { type: 'tool-call-delta', index: 2, id: 'a', name: 'read', text: '{"p":' },
      text(1, 'lo'),
      { type: 'tool-call-delta', index: 2, text: '1}' },
      stop,
    ])
    expect(assembler.blocks()).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'Hello' },
      { type: 'tool-call', id: 'a', name: 'read', arguments: '{"p":1}' },
    ])
  })

  it('keeps the first id and name a provider sends for a call, early or late', () => {
    const assembler = assemble([
      { type: 'block-start', index: 0, block: { type: 'tool-call' } },
      { type: 'tool-call-delta', index: 0, text: '{', id: 'a' },
      { type: 'tool-call-delta', index: 0, text: '}', id: 'b', name: 'read' },
      stop,
    ])
    expect(assembler.blocks()).toEqual([{ type: 'tool-call', id: 'a', name: 'read', arguments: '{}' }])
  })

  it('opens another block when an index changes its kind, and loses nothing', () => {
    const assembler = assemble([{ type: 'reasoning-delta', index: 0, text: 'hm' }, text(0, 'Hi'), stop])
    expect(assembler.blocks()).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'Hi' },
    ])
  })

  it('keeps replay state, also of a block without text, and drops blocks that hold nothing', () => {
    const assembler = assemble([
      { type: 'block-start', index: 0, block: { type: 'reasoning' } },
      { type: 'block-end', index: 0, replay: { signature: 's' } },
      { type: 'block-start', index: 1, block: { type: 'text' } },
      { type: 'block-end', index: 1 },
      stop,
    ])
    expect(assembler.blocks()).toEqual([{ type: 'reasoning', text: '', replay: { signature: 's' } }])
  })
})

it('A3: ignores what arrives for a block after its end', () => {
  const assembler = assemble([text(0, 'a'), { type: 'block-end', index: 0 }, text(0, 'b'), stop])
  expect(assembler.blocks()).toEqual([{ type: 'text', text: 'a' }])
})

it('A3: a block-start after a block-end opens a new block at the same index', () => {
  const assembler = assemble([
    text(0, 'a'),
    { type: 'block-end', index: 0 },
    { type: 'block-start', index: 0, block: { type: 'text' } },
    text(0, 'b'),
    stop,
  ])
  expect(assembler.blocks()).toEqual([
    { type: 'text', text: 'a' },
    { type: 'text', text: 'b' },
  ])
})

it('A4: a cut answer has no calls, and says which it dropped', () => {
  const assembler = assemble([
    text(0, 'so'),
    { type: 'tool-call-delta', index: 1, id: 'a', name: 'write', text: '{}' },
    { type: 'block-end', index: 1 },
    { type: 'tool-call-delta', index: 2, id: 'b', name: 'write', text: '{"te' },
    { type: 'finish', reason: { kind: 'max-tokens' } },
  ])
  expect(assembler.blocks()).toEqual([{ type: 'text', text: 'so' }])
  expect(assembler.droppedCalls().map(call => call.id)).toEqual(['a', 'b'])
})

it('A4: an answer that was not cut drops nothing', () => {
  const assembler = assemble([{ type: 'tool-call-delta', index: 0, id: 'a', name: 'read', text: '{}' }, stop])
  expect(assembler.droppedCalls()).toEqual([])
  expect(assembler.blocks()).toHaveLength(1)
})

it('A5: an interrupted answer keeps visible text and reasoning, and no call', () => {
  const assembler = assemble([
    { type: 'reasoning-delta', index: 0, text: 'hm' },
    text(1, 'Hel'),
    text(2, ' \n'),
    { type: 'tool-call-delta', index: 3, id: 'a', name: 'read', text: '{}' },
    { type: 'block-end', index: 3 },
  ])
  expect(assembler.interruptedBlocks()).toEqual([
    { type: 'reasoning', text: 'hm' },
    { type: 'text', text: 'Hel' },
  ])
})

it('A6: joins a surrogate pair that two chunks split, and replaces a lone half', () => {
  expect(assemble([text(0, '\ud83d'), text(0, '\ude00'), stop]).blocks()).toEqual([
    { type: 'text', text: '😀' },
  ])
  expect(assemble([text(0, 'a\ud83d')]).interruptedBlocks()).toEqual([{ type: 'text', text: 'a\ufffd' }])
})

describe('A7: how a stream must end', () => {
  it('refuses a stream without finish', () => {
    expect(() => assemble([text(0, 'a')]).end()).toThrow(
      expect.objectContaining({ code: 'INCOMPLETE_STREAM' }) as Error,
    )
  })

  it('refuses anything after finish, and does not take it in', () => {
    const assembler = assemble([text(0, 'a'), stop, text(0, 'b')])
    expect(() => assembler.end()).toThrow(/"text-delta" followed/)
    expect(assembler.blocks()).toEqual([{ type: 'text', text: 'a' }])
  })

  it('accepts one finish, last', () => {
    const assembler = assemble([text(0, 'a'), stop])
    assembler.end()
    expect(assembler.finish).toEqual({ kind: 'stop' })
  })
})

it('merges usage: later figures replace earlier ones', () => {
  const assembler = assemble([
    { type: 'usage', usage: { inputTokens: 5, outputTokens: 0, cacheReadTokens: 2 } },
    { type: 'usage', usage: { inputTokens: 5, outputTokens: 9 } },
  ])
  expect(assembler.usage).toEqual({ inputTokens: 5, outputTokens: 9, cacheReadTokens: 2 })
})

it('gives the same text wherever the stream was cut into chunks', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.array(fc.nat(20)), (whole, cuts) => {
      const bounds = [0, ...cuts.filter(cut => cut < whole.length).sort((a, b) => a - b), whole.length]
      const chunks = bounds.slice(1).map((end, position) => text(0, whole.slice(bounds[position], end)))
      const blocks = assemble([...chunks, stop]).blocks()
      expect(blocks).toEqual(whole === '' ? [] : [{ type: 'text', text: whole.toWellFormed() }])
    }),
  )
})
