import { graphemesOf, widthOf } from '../src/output/text-width.js'

/** What a terminal shows of what was written to it: it knows the sequences that the command uses, and throws at any other. */
export interface TerminalScreen {
  write(text: string): void
  /** All that was shown, what has scrolled out of sight included. */
  text(): string
}

const escape = '\u001b'
const token = new RegExp(`${escape}\\[[0-9;?]*[A-Za-z]|[^${escape}]+|${escape}`, 'g')
/** Colours, wrapping and the marks around a paste do not change what is shown. */
const invisible = new RegExp(`^${escape}\\[(?:[0-9;]*m|\\?7[hl]|\\?2004[hl])$`)
const incomplete = new RegExp(`${escape}(?:\\[[0-9;?]*)?$`)
// eslint-disable-next-line no-control-regex -- control characters are what it looks for
const control = /[\u0000-\u0009\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f-\u009f]/

export function terminalScreen(columns: number): TerminalScreen {
  /** A wide character is followed by an empty cell. */
  const rows: string[][] = [[]]
  let [row, column] = [0, 0]
  let rest = ''

  function put(grapheme: string): void {
    const width = widthOf(grapheme)
    if (column + width > columns) [row, column] = [row + 1, 0]
    const cells = (rows[row] ??= [])
    while (cells.length < column) cells.push(' ')
    cells.splice(column, width, grapheme, ...Array<string>(Math.max(0, width - 1)).fill(''))
    column += width
  }

  function move(sequence: string): void {
    const count = Number(/\d+/.exec(sequence)?.[0] ?? 1)
    switch (sequence.at(-1)) {
      case 'A':
        row = Math.max(0, row - count)
        return
      case 'C':
        column += count
        return
      case 'J':
        rows.length = row + 1
        rows[row] = (rows[row] ?? []).slice(0, column)
        return
      default:
        throw new Error(`expected no such sequence to reach the terminal: ${JSON.stringify(sequence)}`)
    }
  }

  return {
    write(text) {
      const all = rest + text
      rest = incomplete.exec(all)?.[0] ?? ''
      for (const [part] of all.slice(0, all.length - rest.length).matchAll(token)) {
        if (part.startsWith(escape)) {
          if (!invisible.test(part)) move(part)
          continue
        }
        if (control.test(part))
          throw new Error(`expected no control character to reach the terminal: ${JSON.stringify(part)}`)
        for (const grapheme of graphemesOf(part)) {
          if (grapheme.includes('\n')) row += 1
          if (grapheme.includes('\n') || grapheme === '\r') column = 0
          else put(grapheme)
          rows[row] ??= []
        }
      }
    },
    text: () => rows.map(cells => cells.join('').trimEnd()).join('\n'),
  }
}
