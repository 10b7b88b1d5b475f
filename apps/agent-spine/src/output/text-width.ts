import stringWidth from 'fast-string-width'

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** What a person takes for the characters of a text: a family of emoji is one. */
export function graphemesOf(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment)
}

/** How many columns of a terminal a text takes. Colours take none. */
export function widthOf(text: string): number {
  return stringWidth(text)
}

/** A line that takes at most `columns` columns. */
export function clipToWidth(line: string, columns: number): string {
  return widthOf(line) > columns ? `${wrapToWidth(line, Math.max(1, columns - 1))[0] ?? ''}…` : line
}

/** The rows of a text in a terminal that wide. A character that is wider than all columns gets a row of its own. */
export function wrapToWidth(text: string, columns: number): readonly string[] {
  return text.split('\n').flatMap(line => wrapLine(line, columns))
}

function wrapLine(line: string, columns: number): readonly string[] {
  if (widthOf(line) <= columns) return [line]
  const rows: string[] = []
  let row = ''
  let width = 0
  for (const grapheme of graphemesOf(line)) {
    const added = widthOf(grapheme)
    if (width + added > columns && row !== '') {
      rows.push(row)
      row = ''
      width = 0
    }
    row += grapheme
    width += added
  }
  return [...rows, row]
}
