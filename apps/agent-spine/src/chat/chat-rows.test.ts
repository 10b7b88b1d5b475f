import fc from 'fast-check'
import { expect, it } from 'vitest'
import { idle } from '../output/run-progress.js'
import { widthOf } from '../output/text-width.js'
import { chatRows, type ChatView } from './chat-rows.js'
import { emptyLine, withText } from './line-editor.js'

const quiet: ChatView = {
  ...{ isWorking: false, progress: idle, queue: [], notice: '', label: '› ', line: emptyLine },
}
const unpainted = (_style: unknown, text: string) => text

function rowsOf(view: Partial<ChatView>, columns = 20, rows = 10) {
  return chatRows({ ...quiet, ...view }, { columns, rows, frame: 0, now: 0 }, unpainted)
}

function call(title: string) {
  return { title, stage: 'running', since: 0 } as const
}

it('shows what runs, what is queued, a notice, and the prompt', () => {
  const { rows, cursor } = rowsOf({
    isWorking: true,
    progress: { ...idle, calls: new Map([['1', call('bash')]]) },
    queue: [
      { id: 'b', target: 'next-step', text: 'now' },
      { id: 'a', target: 'next-turn', text: 'later\nmore' },
    ],
    notice: 'mind\u001b[2J this',
    line: withText(emptyLine, 'hi'),
  })
  expect(rows).toEqual(['⠋ bash  0.0 s', '↳ next step: now', '+ queued: later …', 'mind [2J this', '› hi'])
  expect(cursor).toEqual({ row: 4, column: 4 })
})

it('says that the model thinks where nothing else is to be seen', () => {
  expect(rowsOf({ isWorking: true }).rows).toEqual(['⠋ thinking', '› '])
})

it('wraps a long line below the prompt, and shows the part around the cursor', () => {
  const line = withText(emptyLine, 'abcdefghijklmnopqrstuvwxyz')
  expect(rowsOf({ line }).rows).toEqual(['› abcdefghijklmnop', '  qrstuvwxyz'])
  expect(rowsOf({ line: { ...line, cursor: 16 } }).cursor).toEqual({ row: 1, column: 2 })
  expect(rowsOf({ line }, 20, 3).rows).toEqual(['  qrstuvwxyz'])
  expect(rowsOf({ line: { ...line, cursor: 0 } }, 20, 3)).toEqual({
    rows: ['› abcdefghijklmnop'],
    cursor: { row: 0, column: 2 },
  })
})

it('never has more rows than fit, a row as wide as the terminal, or its cursor outside', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', ' ', '\n', '\t', '世', '👨‍👩‍👧', '\u001b', 'é'),
    maxLength: 80,
  })
  const view = fc.record({
    isWorking: fc.boolean(),
    streaming: text,
    titles: fc.array(fc.string({ maxLength: 60 }), { maxLength: 12 }),
    queue: fc.array(
      fc.record({ target: fc.constantFrom('next-turn' as const, 'next-step' as const), text }),
      {
        maxLength: 12,
      },
    ),
    text: text.map(typed => typed.replaceAll('\u001b', '')),
    at: fc.nat(),
    columns: fc.integer({ min: 10, max: 60 }),
    rows: fc.integer({ min: 4, max: 12 }),
  })
  fc.assert(
    fc.property(view, ({ isWorking, streaming, titles, queue, text: typed, at, columns, rows: height }) => {
      const calls = new Map(titles.map((title, index) => [String(index), call(title)]))
      const { rows, cursor } = rowsOf(
        {
          isWorking,
          progress: { ...idle, streaming, calls },
          queue: queue.map((entry, index) => ({ ...entry, id: String(index) })),
          line: { ...withText(emptyLine, typed), cursor: at % (typed.length + 1) },
        },
        columns,
        height,
      )
      expect(rows.length).toBeLessThan(height)
      expect(Math.max(...rows.map(widthOf))).toBeLessThan(columns)
      expect(rows[cursor.row]).toBeDefined()
      expect(cursor.column).toBeLessThan(columns)
      // eslint-disable-next-line no-control-regex -- control characters are what it looks for
      expect(rows.join('')).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
    }),
  )
})
