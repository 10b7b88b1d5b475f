import { expect, it } from 'vitest'
import { concludeRun } from './conclude-run.js'
import { type Output } from './output/output.js'

function output(isTerminal: boolean): Output & { readonly written: string[] } {
  const written: string[] = []
  const resolved = () => Promise.resolve()
  const { signal: closed } = new AbortController()
  return {
    ...{
      isTerminal,
      columns: 80,
      rows: 24,
      closed,
      failure: undefined,
      isUsed: false,
      written,
      ready: resolved,
      drained: resolved,
    },
    write: text => void written.push(text),
  }
}

function answerOn(isTerminal: boolean): string {
  const stdout = output(isTerminal)
  const environment = { stdout, stderr: output(isTerminal) }
  const text = 'one\u001b]0;title\u0007\u009b2J\n\ttwo\r\nthree\rX'
  concludeRun(environment, { type: 'summary', ok: true, exitCode: 0, text }, false)
  return stdout.written.join('')
}

it('an answer cannot give orders to a terminal, and keeps its lines', () => {
  expect(answerOn(true)).toBe('one ]0;title  2J\n\ttwo\nthree X\n')
})

it('a pipe gets the answer as it is', () => {
  expect(answerOn(false)).toBe('one\u001b]0;title\u0007\u009b2J\n\ttwo\r\nthree\rX\n')
})
