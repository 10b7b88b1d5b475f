import { type ToolResultContent } from '@agent-spine/model'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { boundContent, contentLimits, cutEnd, isWellFormed, utf8Length } from './content.js'

const limits = { maxResultBytes: 1024, maxImageBytes: 100 }

function text(text: string): ToolResultContent {
  return { type: 'text', text }
}

function image(base64: string): ToolResultContent {
  return { type: 'image', mediaType: 'image/png', data: { kind: 'base64', base64 } }
}

function textBytes(content: readonly ToolResultContent[]): number {
  return content.reduce((sum, block) => sum + (block.type === 'text' ? utf8Length(block.text) : 0), 0)
}

it('keeps content that fits, block by block', () => {
  const content = [text('a'), image('AAAA'), text('b')]
  expect(boundContent(content, limits)).toEqual(content)
})

it.each<[string, ToolResultContent[]]>([
  ['no blocks', []],
  ['empty text', [text('')]],
  ['blank text', [text(' \n'), text('\t')]],
])('says so when there is nothing to read, because providers refuse empty text: %s', (_, content) => {
  expect(boundContent(content, limits)).toEqual([text('(no output)')])
})

it('replaces half characters, which providers refuse', () => {
  expect(boundContent([text('a\ud83d'), text('\ude00b 😀')], limits)).toEqual([
    text('a\ufffd'),
    text('\ufffdb 😀'),
  ])
})

it('cuts the middle of long text, and says how much', () => {
  const [block] = boundContent([text(`start ${'x'.repeat(5000)} end`)], limits)
  expect(block).toMatchObject({
    text: expect.stringMatching(/^start x+\n\[\d+ bytes of output were cut here\]\nx+ end$/s) as string,
  })
})

it('keeps what fits before the cut, drops text after it, and keeps images', () => {
  const content = boundContent(
    [text('first'), text('y'.repeat(5000)), text('z'.repeat(70)), image('AAAA')],
    limits,
  )
  expect(content[0]).toEqual(text('first'))
  expect(content[1]).toMatchObject({ text: expect.stringContaining('cut here') as string })
  expect(content[2]).toEqual(image('AAAA'))
  expect(content[3]).toEqual(text('[70 more bytes of output were cut]'))
})

it('keeps an image whole or replaces it by a note', () => {
  expect(boundContent([image('A'.repeat(100))], limits)).toEqual([image('A'.repeat(100))])
  expect(boundContent([image('A'.repeat(101))], limits)).toEqual([
    text('[an image of 101 bytes was left out: more than the limit of 100]'),
  ])
  const url = { type: 'image', mediaType: 'image/png', data: { kind: 'url', url: 'u' } } as const
  expect(boundContent([url], limits)).toEqual([url])
})

it('drops what a block holds beside its own fields', () => {
  const block = { type: 'text', text: 'a', replay: { secret: 1 } } as const
  expect(boundContent([block], limits)).toEqual([text('a')])
})

it('never exceeds the limit, never cuts a character, never answers nothing', () => {
  // Repeated, because random text alone is seldom long enough to be cut.
  const unit = fc.constantFrom('a', 'é', '漢', '😀', '\ud800', ' ')
  const longText = fc
    .tuple(fc.string({ unit, minLength: 1, maxLength: 5 }), fc.nat(600))
    .map(([part, times]) => text(part.repeat(times)))
  const block = fc.oneof(
    longText,
    longText,
    fc.string({ unit: 'binary' }).map(text),
    fc.constant(image('AAAA')),
  )
  fc.assert(
    fc.property(fc.array(block, { maxLength: 6 }), content => {
      const bounded = boundContent(content, limits)
      expect(textBytes(bounded)).toBeLessThanOrEqual(limits.maxResultBytes)
      expect(bounded.length).toBeGreaterThan(0)
      for (const part of bounded) {
        expect(Object.isFrozen(part)).toBe(true)
        if (part.type === 'text') expect(isWellFormed(part.text) && part.text.trim() !== '').toBe(true)
      }
      const replaced = (value: string): number => value.split('\ufffd').length
      const had = content.map(part =>
        part.type === 'text' ? replaced(part.text.replace(/\p{Surrogate}/gu, '\ufffd')) : 0,
      )
      const has = bounded.map(part => (part.type === 'text' ? replaced(part.text) : 0))
      const sum = (counts: number[]): number =>
        counts.reduce((total, count) => total + Math.max(0, count - 1), 0)
      expect(sum(has)).toBeLessThanOrEqual(sum(had))
    }),
    { numRuns: 200 },
  )
})

it('cuts the end between characters', () => {
  expect(cutEnd('aé😀', 3)).toBe('aé')
  expect(cutEnd('aé😀', 6)).toBe('aé')
  expect(cutEnd('aé😀', 7)).toBe('aé😀')
  expect(cutEnd('abc', 0)).toBe('')
})

it('refuses limits that leave no room for an explanation', () => {
  expect(contentLimits({})).toEqual({ maxResultBytes: 65_536, maxImageBytes: 5_242_880 })
  for (const options of [{ maxResultBytes: 1000 }, { maxResultBytes: NaN }, { maxImageBytes: -1 }]) {
    expect(() => contentLimits(options)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
  }
})
