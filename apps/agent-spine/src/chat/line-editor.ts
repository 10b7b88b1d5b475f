// The line that a person writes, as plain data. Node's own line editor draws itself, and sends at every new line of a paste.
//
//   E1  The cursor is always between two graphemes: what a person sees as one character is moved over and deleted as one.
//   E2  No control character but a new line and a tab enters the line, whatever is pasted.
//   E3  Going through the history changes neither it nor what was being written.
import { withoutControls } from '../output/call-text.js'
import { graphemesOf } from '../output/text-width.js'

export interface EditedLine {
  readonly text: string
  /** An index into `text`. */
  readonly cursor: number
  /** What was sent before, the oldest first. */
  readonly history: readonly string[]
  /** While an old line is shown: how far back it is, and what was being written. */
  readonly recall?: { readonly back: number; readonly draft: string }
}

export type Edit =
  | { readonly kind: 'insert'; readonly text: string }
  | { readonly kind: 'move' | 'delete'; readonly to: Place }
  | { readonly kind: 'older' | 'newer' }

/** Where the cursor goes, or up to where is deleted. */
export type Place = 'left' | 'right' | 'word-left' | 'word-right' | 'start' | 'end'

const historyLength = 200

export const emptyLine: EditedLine = { text: '', cursor: 0, history: [] }

export function edit(line: EditedLine, change: Edit): EditedLine {
  const { text, cursor, history } = line
  switch (change.kind) {
    case 'insert': {
      const added = withoutControls(change.text.replace(/\r\n?/g, '\n'))
      return {
        text: text.slice(0, cursor) + added + text.slice(cursor),
        cursor: cursor + added.length,
        history,
      }
    }
    case 'move':
      return { ...line, cursor: placeIn(line, change.to) }
    case 'delete': {
      const other = placeIn(line, change.to)
      const [from, to] = other < cursor ? [other, cursor] : [cursor, other]
      return { text: text.slice(0, from) + text.slice(to), cursor: from, history }
    }
    case 'older':
      return recalled(line, 1)
    case 'newer':
      return recalled(line, -1)
  }
}

/** The line with another text, to go on writing at its end. */
export function withText({ history }: EditedLine, text: string): EditedLine {
  return { text, cursor: text.length, history }
}

/** An empty line after this one was sent. */
export function afterSending({ text, history }: EditedLine): EditedLine {
  const isNew = text.trim() !== '' && history.at(-1) !== text
  return { ...emptyLine, history: isNew ? [...history, text].slice(-historyLength) : history }
}

function recalled(line: EditedLine, step: 1 | -1): EditedLine {
  const { history, recall = { back: 0, draft: line.text } } = line
  const back = recall.back + step
  if (back < 0 || back > history.length) return line
  if (back === 0) return withText(line, recall.draft)
  return { ...withText(line, history[history.length - back] ?? ''), recall: { ...recall, back } }
}

function placeIn({ text, cursor }: EditedLine, place: Place): number {
  const [before, after] = [text.slice(0, cursor), text.slice(cursor)]
  switch (place) {
    case 'left':
      return cursor - (graphemesOf(before).at(-1)?.length ?? 0)
    case 'right':
      return cursor + (graphemesOf(after)[0]?.length ?? 0)
    case 'word-left':
      return before.search(/\S+\s*$/) === -1 ? 0 : before.search(/\S+\s*$/)
    case 'word-right':
      return cursor + (/^\s*\S+/.exec(after)?.[0].length ?? after.length)
    case 'start':
      return before.lastIndexOf('\n') + 1
    case 'end':
      return after.includes('\n') ? cursor + after.indexOf('\n') : text.length
  }
}
