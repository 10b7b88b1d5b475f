import fc from 'fast-check'
import { expect, it } from 'vitest'
import { oneLine, visibleText } from './visible-text.js'

it.each([
  ['an ANSI escape', '\u001b[31mred', '␛[31mred'],
  ['a bell and a null', '\u0007\u0000', '␇␀'],
  ['a C1 control', '\u009b2J', '‹U+009B›2J'],
  ['a text that is turned round', '\u202egnp.exe', '‹U+202E›gnp.exe'],
  ['a hidden space', 'a\u200bb', 'a‹U+200B›b'],
  ['line separators', 'a\u2028b\u2029', 'a‹U+2028›b‹U+2029›'],
  ['half a pair', '\ud800x', '‹U+D800›x'],
  ['lines and tabs', 'a\r\nb\n\tc', 'a\nb\n\tc'],
  ['letters of any script', 'äöü 日本語 👩 عربي', 'äöü 日本語 👩 عربي'],
])('%s', (_what, text, shown) => {
  expect(visibleText(text)).toBe(shown)
})

it('nothing that acts unseen is left of any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      expect(visibleText(text)).not.toMatch(/[^\P{C}\n\t\p{Co}\p{Cn}\p{Cf}]/u)
    }),
  )
})

it('a line is one line of at most so many characters', () => {
  expect(oneLine('a\n\n  b', 10)).toBe('a ⏎ b')
  expect(oneLine('x'.repeat(100), 10)).toBe(`${'x'.repeat(9)}…`)
  expect(oneLine('short', 10)).toBe('short')
})
