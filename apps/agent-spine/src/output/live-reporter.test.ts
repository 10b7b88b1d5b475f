import { expect, it, vi } from 'vitest'
import { liveReporter } from './live-reporter.js'
import { type Output } from './output.js'
import { type RunEvent } from './run-event.js'

const escape = '\u001b'
const pieces = new RegExp(`((?:${escape}\\[\\d+A)?${escape}\\[0J|\\n)`)
const moveUp = new RegExp(`^(?:${escape}\\[(\\d+)A)?${escape}\\[0J$`)
const wrapMode = new RegExp(`${escape}\\[\\?7[lh]`, 'g')

/** A terminal that understands the sequences the reporter uses, and shows what a person would see. */
class Screen implements Output {
  readonly isTerminal = true
  readonly failure = undefined
  readonly isUsed = false
  readonly rows = 24
  readonly closed = new AbortController().signal
  readonly #lines: string[] = ['']

  constructor(readonly columns = 60) {}

  write(text: string): void {
    for (const piece of text.replace(wrapMode, '').split(pieces)) {
      const up = moveUp.exec(piece)
      if (up !== null) this.#lines.splice(this.#lines.length - 1 - Number(up[1] ?? 0), Infinity, '')
      else if (piece === '\n') this.#lines.push('')
      else this.#lines.push((this.#lines.pop() ?? '') + piece)
    }
  }

  ready = () => Promise.resolve()
  drained = () => Promise.resolve()

  get lines(): readonly string[] {
    return this.#lines.slice(0, -1)
  }
}

const at = { seq: 0, time: 0 }
const call = (callId: string, directory: string): RunEvent => ({
  ...{ type: 'call', ...at, callId, name: 'run_tests', arguments: JSON.stringify({ directory }) },
})

function liveRun(columns?: number) {
  vi.useFakeTimers({ now: 0 })
  const screen = new Screen(columns)
  return { screen, reporter: liveReporter(screen, (_style, text) => text) }
}

it('shows one line per call that is not done, below what lasts', () => {
  const { screen, reporter } = liveRun()
  reporter.show(call('1', 'A'))
  reporter.show(call('2', 'B'))
  reporter.show({ type: 'call-dispatched', ...at, callId: '1' })
  vi.advanceTimersByTime(1200)
  expect(screen.lines).toEqual([
    expect.stringMatching(/^\S run_tests A {2}1\.2 s$/),
    '  run_tests B  1.2 s  waits to start',
  ])
  reporter.show({ type: 'call-settled', callId: '1', time: 1200 })
  expect(screen.lines[0]).toBe('  run_tests A  1.2 s  done, waits for its turn')
  reporter.show({ type: 'call-result', ...at, callId: '1', text: 'fine' })
  expect(screen.lines).toEqual(['✓ run_tests A: fine', '  run_tests B  1.2 s  waits to start'])
  reporter.end()
})

it('shows the answer as it streams, and then for good', () => {
  const { screen, reporter } = liveRun()
  reporter.show({ type: 'text', ...at, text: 'I will ' })
  reporter.show({ type: 'text', ...at, text: 'look.' })
  vi.advanceTimersByTime(100)
  expect(screen.lines).toEqual([expect.stringMatching(/^\S I will look\.$/)])
  reporter.show({ type: 'answer', ...at, text: 'I will look.', calls: ['1'] })
  expect(screen.lines).toEqual(['● I will look.'])
  reporter.end()
})

it('forgets what a failed answer had said, and says why it is tried again', () => {
  const { screen, reporter } = liveRun()
  reporter.show({ type: 'text', ...at, text: 'Lost ' })
  const failure = { code: 'TRANSPORT', message: 'terminated' }
  reporter.show({ type: 'retry', retry: 1, maxRetries: 3, delayMs: 250, ...failure })
  expect(screen.lines).toEqual(['↻ terminated [TRANSPORT]; again in 0.3 s (1 of 3)'])
  reporter.end()
})

it('never draws a line wider than the terminal, which would break the redrawing', () => {
  const { screen, reporter } = liveRun(20)
  reporter.show(call('1', 'a/very/long/directory/name'))
  expect(screen.lines.map(line => line.length)).toEqual([19])
  reporter.end()
})

it('clears the way for a question, and leaves nothing half drawn', () => {
  const { screen, reporter } = liveRun()
  reporter.show(call('1', 'A'))
  const resume = reporter.pause()
  expect(screen.lines).toEqual([])
  vi.advanceTimersByTime(500)
  expect(screen.lines).toEqual([])
  resume()
  expect(screen.lines).toHaveLength(1)
  reporter.end()
  expect(screen.lines).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
})

it('counts what waits in the queue', () => {
  const { screen, reporter } = liveRun()
  reporter.show({ type: 'queue', ...at, added: 2, removed: 0 })
  expect(screen.lines).toEqual(['  2 in the queue'])
  reporter.show({ type: 'queue', ...at, added: 0, removed: 2 })
  expect(screen.lines).toEqual([])
  reporter.end()
})
