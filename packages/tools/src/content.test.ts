import { type ToolResultContent } from '@agent-spine/model'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { boundContent, contentLimits, cutEnd, isResultContent, isWellFormed, utf8Length } from './content.js'

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

it('keeps text of exactly the limit, and cuts text of one byte more', () => {
  expect(boundContent([text('a'.repeat(1024))], limits)).toEqual([text('a'.repeat(1024))])
  expect(boundContent([text('a'.repeat(1025))], limits)).toEqual([
    text(`${'a'.repeat(672)}\n[129 bytes of output were cut here]\n${'a'.repeat(224)}`),
  ])
})

it('cuts between characters at both ends, and counts what it cut in bytes', () => {
  expect(boundContent([text('漢'.repeat(1000))], limits)).toEqual([
    text(`${'漢'.repeat(224)}\n[2106 bytes of output were cut here]\n${'漢'.repeat(74)}`),
  ])
})

it('keeps a byte order mark that the end of the text starts with', () => {
  const end = `\ufeff${'b'.repeat(221)}`
  expect(boundContent([text(`${'a'.repeat(2000)}${end}`)], limits)).toEqual([
    text(`${'a'.repeat(672)}\n[1328 bytes of output were cut here]\n${end}`),
  ])
})

it('keeps a block whole that fills the room to the byte', () => {
  const whole = text('a'.repeat(896))
  expect(boundContent([whole, text('b'.repeat(500))], limits)).toEqual([
    whole,
    text('[500 more bytes of output were cut]'),
  ])
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
  expect(() => contentLimits({ maxResultBytes: 1023, maxImageBytes: 7 })).toThrow(
    'maxResultBytes must be at least 1024 and maxImageBytes at least 0, found 1023 and 7',
  )
  const least = { maxResultBytes: 1024, maxImageBytes: 0 }
  expect(contentLimits(least)).toEqual(least)
})

const base64 = { kind: 'base64', base64: 'AAAA' }
const url = { kind: 'url', url: 'https://example.com/a.png' }

it.each<[string, unknown]>([
  ['nothing', []],
  ['text', [text('')]],
  ['an image of base64', [{ type: 'image', mediaType: 'image/png', data: base64 }]],
  ['an image at an address', [text('a'), { type: 'image', mediaType: 'image/png', data: url }]],
])('takes what a result may hold: %s', (_, content) => {
  expect(isResultContent(content)).toBe(true)
})

it.each<[string, unknown]>([
  ['what is no list', text('a')],
  ['nothing', undefined],
  ['a list with something else beside text', [text('a'), 5]],
  ['a number', [5]],
  ['null', [null]],
  ['a hole', [undefined]],
  ['bare text', ['a']],
  ['a function that looks like text', [Object.assign(() => undefined, text('a'))]],
  ['text that is a number', [{ type: 'text', text: 5 }]],
  ['text without a type', [{ text: 'a' }]],
  ['an unknown type with text', [{ type: 'reasoning', text: 'a' }]],
  ['an unknown type with an image', [{ type: 'audio', mediaType: 'audio/wav', data: base64 }]],
  ['an image without a media type', [{ type: 'image', data: base64 }]],
  ['an image whose media type is a number', [{ type: 'image', mediaType: 5, data: url }]],
  ['an image with text instead of data', [{ type: 'image', mediaType: 'image/png', text: 'a' }]],
  ['an image whose data is null', [{ type: 'image', mediaType: 'image/png', data: null }]],
])('refuses what no result may hold: %s', (_, content) => {
  expect(isResultContent(content)).toBe(false)
})

it.each<[string, object]>([
  ['of no kind', { base64: 'AAAA', url: 'u' }],
  ['of an empty kind', { kind: '', base64: 'AAAA', url: 'u' }],
  ['of an unknown kind', { kind: 'file', base64: 'AAAA', url: 'u' }],
  ['base64 without its text', { kind: 'base64', url: 'u' }],
  ['base64 that is a number', { kind: 'base64', base64: 5 }],
  ['an address without its text', { kind: 'url', base64: 'AAAA' }],
  ['an address that is a number', { kind: 'url', url: 5 }],
])('refuses the data of an image: %s', (_, data) => {
  expect(isResultContent([{ type: 'image', mediaType: 'image/png', data }])).toBe(false)
})
