import { expect, it } from 'vitest'
import { afterSending, edit, emptyLine, withText, type Edit, type EditedLine } from './line-editor.js'

function edited(start: string, ...changes: readonly Edit[]): EditedLine {
  return changes.reduce(edit, withText(emptyLine, start))
}

/** The text, with a bar where the cursor is. */
function shown({ text, cursor }: EditedLine): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`
}

it.each([
  ['👨‍👩‍👧', 1],
  ['é', 1],
  ['🇩🇪🇫🇷', 2],
  ['世界', 2],
])('E1: moves over and deletes %s in %i steps', (text, steps) => {
  const left: Edit = { kind: 'move', to: 'left' }
  const moved = edited(`a${text}`, ...Array<Edit>(steps).fill(left))
  expect(shown(moved)).toBe(`a|${text}`)
  const back = Array<Edit>(steps).fill({ kind: 'delete', to: 'right' }).reduce(edit, moved)
  expect(shown(back)).toBe('a|')
  const deleted = edited(`a${text}`, ...Array<Edit>(steps).fill({ kind: 'delete', to: 'left' }))
  expect(shown(deleted)).toBe('a|')
})

it('E2: keeps new lines and tabs of what is inserted, and no other control character', () => {
  expect(edited('', { kind: 'insert', text: 'a\rb\r\nc\td\u001b[31me\u009bf' }).text).toBe(
    'a\nb\nc\td [31me f',
  )
})

it('E3: goes through what was sent and comes back to what was being written', () => {
  const sent = ['one', 'two', 'two', ' '].reduce<EditedLine>(
    (line, text) => afterSending(withText(line, text)),
    emptyLine,
  )
  expect(sent.history).toEqual(['one', 'two'])
  const older: Edit = { kind: 'older' }
  const newer: Edit = { kind: 'newer' }
  const seen = [older, older, older, newer, newer, newer].reduce<EditedLine[]>(
    (lines, change) => [...lines, edit(lines.at(-1) ?? sent, change)],
    [withText(sent, 'draft')],
  )
  expect(seen.map(({ text }) => text)).toEqual(['draft', 'two', 'one', 'one', 'two', 'draft', 'draft'])
  expect(edit(withText(sent, 'draft'), older).history).toBe(sent.history)
})

it.each<[string, Edit, string]>([
  ['one  two three', { kind: 'delete', to: 'word-left' }, 'one  two |'],
  ['one two  ', { kind: 'delete', to: 'word-left' }, 'one |'],
  ['  ', { kind: 'delete', to: 'word-left' }, '|'],
  ['one\ntwo', { kind: 'move', to: 'start' }, 'one\n|two'],
  ['one\ntwo', { kind: 'delete', to: 'start' }, 'one\n|'],
])('%j, %j', (text, change, expected) => {
  expect(shown(edited(text, change))).toBe(expected)
})

it('moves and deletes to the right by words and lines', () => {
  const start = { ...withText(emptyLine, 'one two\nthree'), cursor: 0 }
  expect(shown(edit(start, { kind: 'move', to: 'word-right' }))).toBe('one| two\nthree')
  expect(shown(edit(start, { kind: 'delete', to: 'end' }))).toBe('|\nthree')
})
