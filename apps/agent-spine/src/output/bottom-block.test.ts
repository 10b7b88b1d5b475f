import { expect, it } from 'vitest'
import { createBottomBlock } from './bottom-block.js'
import { type Output } from './output.js'

function terminal(columns: number) {
  let written = ''
  const output: Output = {
    ...{
      isTerminal: true,
      rows: 24,
      failure: undefined,
      isUsed: false,
      closed: new AbortController().signal,
    },
    get columns() {
      return columns
    },
    write: text => void (written += text),
    ready: () => Promise.resolve(),
    drained: () => Promise.resolve(),
  }
  const take = () => {
    const taken = written.replaceAll('\u001b', '^')
    written = ''
    return taken
  }
  return { output, take, resize: (width: number) => (columns = width) }
}

it('B1, B2: writes what lasts with wrapping, and the rows below it without', () => {
  const { output, take } = terminal(20)
  const block = createBottomBlock(output)
  block.draw('lasting\n', ['one', '> two'], { row: 1, column: 5 })
  expect(take()).toBe('lasting\n^[?7lone\n> two^[?7h\r^[5C')
  block.draw('more\n', ['> two'], { row: 0, column: 0 })
  expect(take()).toBe('\r^[1A^[0Jmore\n^[?7l> two^[?7h\r')
  block.clear()
  expect(take()).toBe('^[0J')
})

it('writes nothing where nothing has changed', () => {
  const { output, take, resize } = terminal(20)
  const block = createBottomBlock(output)
  block.draw('', ['same'], { row: 0, column: 2 })
  take()
  block.draw('', ['same'], { row: 0, column: 2 })
  expect(take()).toBe('')
  resize(30)
  block.draw('', ['same'], { row: 0, column: 2 })
  expect(take()).toContain('same')
})

it('B3: erases the rows that a narrower terminal has made of the block', () => {
  const { output, take, resize } = terminal(40)
  const block = createBottomBlock(output)
  block.draw('', ['x'.repeat(39), '世'.repeat(10), '> 0123456789'], { row: 2, column: 12 })
  take()
  resize(10)
  block.clear()
  // 4 rows, 2 rows, and the cursor in the second row of the last.
  expect(take()).toBe('\r^[7A^[0J')
})
