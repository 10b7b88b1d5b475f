import { liveLines, spinnerAt } from '../output/live-lines.js'
import { withoutControls } from '../output/call-text.js'
import { type BlockCursor } from '../output/bottom-block.js'
import { type Paint } from '../output/paint.js'
import { type RunProgress } from '../output/run-progress.js'
import { clipToWidth, graphemesOf, widthOf, wrapToWidth } from '../output/text-width.js'
import { type EditedLine } from './line-editor.js'
import { type QueuedText } from './queued-input.js'

/** What is below the transcript. */
export interface ChatView {
  readonly isWorking: boolean
  readonly progress: RunProgress
  readonly queue: readonly QueuedText[]
  /** Said about the last key; `''` for nothing. */
  readonly notice: string
  readonly label: string
  readonly line: EditedLine
}

export interface ChatRoom {
  readonly columns: number
  readonly rows: number
  readonly frame: number
  readonly now: number
}

/**
 * The rows for a view: what runs, what is queued, a notice, the prompt. They are fewer than the terminal has, and narrower:
 * where room is short, the prompt has it.
 */
export function chatRows(
  view: ChatView,
  room: ChatRoom,
  paint: Paint,
): { readonly rows: readonly string[]; readonly cursor: BlockCursor } {
  const columns = Math.max(4, room.columns - 1)
  const prompt = promptRows(view, { columns, count: Math.max(1, Math.floor((room.rows - 1) / 2)) }, paint)
  const notice =
    view.notice === ''
      ? []
      : wrapToWidth(withoutControls(view.notice), columns).map(row => paint('yellow', row))
  const free = Math.max(0, room.rows - 1 - prompt.rows.length - notice.length)
  const queue = fitting(queueRows(view.queue, columns), Math.ceil(free / 2)).map(row => paint('dim', row))
  const live = liveRows(view, { ...room, columns }, free - queue.length)
  const above = [...live, ...queue, ...notice]
  return {
    rows: [...above, ...prompt.rows],
    cursor: { row: above.length + prompt.cursor.row, column: prompt.cursor.column },
  }
}

function liveRows({ isWorking, progress }: ChatView, room: ChatRoom, count: number): readonly string[] {
  if (!isWorking) return []
  const { columns, frame, now } = room
  const lines = liveLines(progress, { frame, now, columns, streamingRows: Math.max(1, count) })
  return fitting(lines.length === 0 ? [clipToWidth(`${spinnerAt(frame)} thinking`, columns)] : lines, count)
}

function queueRows(queue: readonly QueuedText[], columns: number): readonly string[] {
  return queue.map(({ target, text }) => {
    const [first = '', ...more] = withoutControls(text).replaceAll('\t', ' ').trim().split('\n')
    const what = target === 'next-step' ? '↳ next step:' : '+ queued:'
    return clipToWidth(`${what} ${first}${more.length > 0 ? ' …' : ''}`, columns)
  })
}

function fitting(rows: readonly string[], count: number): readonly string[] {
  if (rows.length <= count) return rows
  return count <= 0 ? [] : [...rows.slice(0, count - 1), `… ${rows.length - count + 1} more`]
}

/** The line as rows, those around the cursor if there are too many. */
function promptRows(
  { label, line }: ChatView,
  { columns, count }: { readonly columns: number; readonly count: number },
  paint: Paint,
): { readonly rows: readonly string[]; readonly cursor: BlockCursor } {
  const indent = widthOf(label)
  const rows: string[] = ['']
  let width = 0
  let cursor: BlockCursor = { row: 0, column: 0 }
  let index = 0
  const place = () => {
    if (index === line.cursor) cursor = { row: rows.length - 1, column: indent + width }
  }
  for (const grapheme of graphemesOf(line.text)) {
    const shown = grapheme === '\t' ? '  ' : grapheme
    const isBreak = grapheme === '\n'
    if (!isBreak && indent + width + widthOf(shown) > columns - 1) nextRow()
    place()
    if (isBreak) nextRow()
    else {
      rows.push((rows.pop() ?? '') + shown)
      width += widthOf(shown)
    }
    index += grapheme.length
  }
  place()
  const start = Math.max(0, cursor.row - count + 1)
  return {
    rows: rows.slice(start, start + count).map((row, at) => {
      const isFirst = at + start === 0
      return `${isFirst ? paint('bold', label) : ' '.repeat(indent)}${row}`
    }),
    cursor: { row: cursor.row - start, column: cursor.column },
  }

  function nextRow(): void {
    rows.push('')
    width = 0
  }
}
