import { expect, it } from 'vitest'
import { compileSchema } from './index.js'

const maxBytes = 2048
/** What is left of it for violations, and how many may be shown at most. */
const budget = 1900
const maxShown = 20
const maxLineLength = 400

/** A violation as it is shown. */
function shown(violation: string | undefined = ''): string {
  return `- ${violation.length > maxLineLength ? `${violation.slice(0, maxLineLength)}…` : violation}`
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** A text whose violations name keys of `character`, shifted byte by byte with `padding`. */
function refuse(character: string, padding: number) {
  const names = Array.from({ length: 40 }, (_, index) => `${index}${'x'.repeat(padding % 9)}${character}`)
  names.push('p'.repeat(padding))
  const schema = compileSchema({
    type: 'object',
    properties: Object.fromEntries(names.map(name => [name, { type: 'string' as const }])),
    required: names,
  })
  const outcome = schema.parse('{}')
  if (outcome.ok) throw new Error('expected the text to be refused')
  return outcome
}

it.each([
  ['one byte', 'k'],
  ['two bytes', 'ñ'],
  ['three bytes', '鍵'],
  ['four bytes', '😀'],
  ['an escape', '\u0001'],
])('keeps within 2 KB, wastes nothing and counts right with characters of %s', (_, character) => {
  for (let length = 1; length <= 70; length++) {
    const { text, violations } = refuse(character.repeat(length), length)
    expect(bytesOf(text)).toBeLessThanOrEqual(maxBytes)
    const lines = text.split('\n').slice(1)
    const more = Number(/^- and (\d+) more$/.exec(lines.pop() ?? '')?.[1])
    expect(lines.length + more).toBe(violations.length)
    expect(lines).toEqual(violations.slice(0, lines.length).map(violation => shown(violation)))
    const used = bytesOf(lines.join('\n')) + 1
    expect(used).toBeLessThanOrEqual(budget)
    const next = bytesOf(shown(violations[lines.length])) + 1
    if (lines.length < maxShown) expect(used + next).toBeGreaterThan(budget)
  }
})

it.each(['k', 'ñ', '鍵', '😀'])('cuts one endless line of %s between characters', character => {
  for (let length = 300; length < 420; length++) {
    const tags = Array.from({ length: 12 }, (_, index) => `${index}${character.repeat(length % 41)}`)
    const schema = compileSchema({
      type: 'object',
      properties: { a: { type: 'string', enum: tags } },
      required: ['a'],
    })
    const outcome = schema.parse(JSON.stringify({ a: character.repeat(length) }))
    const text = outcome.ok ? '' : outcome.text
    expect(bytesOf(text)).toBeLessThanOrEqual(maxBytes)
    expect(text).not.toMatch(/\p{Surrogate}/u)
    expect(text).toMatch(/^The arguments were refused:\n- "a" must be one of [^\n]+$/)
  }
})
