// Draws the rows at the bottom of a terminal that change in place, below the lines that last.
//
//   B1  What is above the block is written once and never touched again.
//   B2  A row takes one row, also where the terminal and we disagree about the width of a character: it does not wrap.
//   B3  A terminal that was made narrower has wrapped the rows that are too wide now; they are erased with the rest.
import { isDeepStrictEqual } from 'node:util'
import { type Output } from './output.js'
import { widthOf } from './text-width.js'

/** Where the cursor stands, counted from 0 at the left end of the block's first row. */
export interface BlockCursor {
  readonly row: number
  readonly column: number
}

export interface BottomBlock {
  /**
   * Writes `above`, which is empty or ends with a new line, and the block below it. The rows have no control characters
   * but colours, and are narrower than the terminal. The cursor stays where it is told to be.
   */
  draw(above: string, rows: readonly string[], cursor: BlockCursor): void
  /** Leaves the cursor where the block began. */
  clear(): void
}

const escape = '\u001b['
const wrapOff = `${escape}?7l`
const wrapOn = `${escape}?7h`

interface Drawn {
  readonly rows: readonly string[]
  readonly cursor: BlockCursor
  /** Of the terminal, then. */
  readonly columns: number
}

export function createBottomBlock(output: Output): BottomBlock {
  let drawn: Drawn | undefined

  function erase(): string {
    if (drawn === undefined) return ''
    const { rows, cursor } = drawn
    const { columns } = output
    const rowsAbove = rows
      .slice(0, cursor.row)
      .reduce((sum, row) => sum + Math.max(1, Math.ceil(widthOf(row) / columns)), 0)
    const up = rowsAbove + Math.floor(cursor.column / columns)
    return `${cursor.column > 0 ? '\r' : ''}${up > 0 ? `${escape}${up}A` : ''}${escape}0J`
  }

  return {
    draw(above, rows, cursor) {
      const next = { rows, cursor, columns: output.columns }
      if (above === '' && isDeepStrictEqual(next, drawn)) return
      const up = rows.length - 1 - cursor.row
      const isAtEnd = up === 0 && cursor.column === 0 && rows.at(-1) === ''
      const position = isAtEnd
        ? ''
        : `\r${up > 0 ? `${escape}${up}A` : ''}${cursor.column > 0 ? `${escape}${cursor.column}C` : ''}`
      output.write(`${erase()}${above}${wrapOff}${rows.join('\n')}${wrapOn}${position}`)
      drawn = next
    },
    clear() {
      output.write(erase())
      drawn = undefined
    },
  }
}
