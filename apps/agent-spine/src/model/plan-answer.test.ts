import {
  TOOL_ABORTED_BEFORE_DISPATCH,
  TOOL_NOT_STARTED,
  TOOL_OUTCOME_UNKNOWN,
  unrunResult,
  type Message,
} from '@agent-spine/model'
import { toolResultMessage } from '@agent-spine/tools'
import { describe, expect, it } from 'vitest'
import { composeReport } from '../tools/test-report.js'
import { type TestOutcome } from '../tools/test-outcome.js'
import { planAnswer } from './plan-answer.js'

const prompt = 'run the tests of directories one and two and write the outcome to report.md'

/** Writes a conversation the way a log derives it. */
class Conversation {
  readonly messages: Message[] = []
  #calls = 0

  user(text: string): this {
    this.messages.push({
      id: `u${this.messages.length}`,
      role: 'user',
      source: { kind: 'user' },
      content: [{ type: 'text', text }],
    })
    return this
  }

  /** The model's next step, as it plans it, with what became of each call. */
  step(...results: readonly (string | Error)[]): this {
    const { text, calls } = planAnswer(this.messages)
    expect(results).toHaveLength(calls.length)
    const asked = calls.map(call => ({ ...call, id: `call_${this.#calls++}` }))
    this.messages.push({
      id: `a${this.messages.length}`,
      role: 'assistant',
      source: { kind: 'model', provider: 'scripted', model: 'rules' },
      content: [
        { type: 'text', text },
        ...asked.map(({ id, name, args }) => ({
          type: 'tool-call' as const,
          id,
          name,
          arguments: JSON.stringify(args),
        })),
      ],
    })
    for (const [index, { id }] of asked.entries()) this.messages.push(resultMessage(id, results[index] ?? ''))
    return this
  }

  get next(): string[] {
    return planAnswer(this.messages).calls.map(({ name, args }) => `${name} ${JSON.stringify(args)}`)
  }

  get text(): string {
    return planAnswer(this.messages).text
  }
}

function resultMessage(id: string, result: string | Error): Message {
  if (
    result === TOOL_NOT_STARTED ||
    result === TOOL_ABORTED_BEFORE_DISPATCH ||
    result === TOOL_OUTCOME_UNKNOWN
  ) {
    return unrunResult(id, result)
  }
  return result instanceof Error
    ? toolResultMessage(id, { content: [{ type: 'text', text: result.message }], isError: true })
    : toolResultMessage(id, { content: [{ type: 'text', text: result }] })
}

function outcome(directory: string, failed = 0): TestOutcome {
  const facts = { command: 'node --test', exitCode: failed > 0 ? 1 : 0, durationMs: 5, output: '' }
  return { directory, outcome: failed > 0 ? 'failed' : 'passed', passed: 1, failed, skipped: 0, ...facts }
}

const one = outcome('one')
const two = outcome('two', 1)
const [ranOne, ranTwo] = [JSON.stringify(one), JSON.stringify(two)]
const report = composeReport([one, two].map(known => ({ kind: 'ran', outcome: known })))
const runOne = 'run_tests {"directory":"one"}'
const runTwo = 'run_tests {"directory":"two"}'
const write = 'write_report {"path":"report.md","directories":["one","two"]}'

const start = () => new Conversation().user(prompt)

it('M2: asks for the runs and the report in one step', () => {
  expect(start().next).toEqual([runOne, runTwo, write])
})

it('counts a directory once, however often and in whatever spelling it is named', () => {
  const twice = 'run the tests of directories one, one, ./one and one/ and write the outcome to report.md'
  const conversation = new Conversation().user(twice)
  expect(conversation.next).toEqual([runOne, 'write_report {"path":"report.md","directories":["one"]}'])
  expect(conversation.step(ranOne, 'Wrote report.md').text).toContain('1 of 1 directory passed')
})

it('M4: reports from the results', () => {
  const { next, text } = start().step(ranOne, ranTwo, 'Wrote report.md')
  expect(next).toEqual([])
  expect(text).toContain('1 of 2 directories passed; 3 tests: 2 passed, 1 failed.')
  expect(text).toContain('The report is in report.md.')
})

describe('M1: after an interruption', () => {
  it('runs again what has no outcome, and only that', () => {
    const stopped = start().step(ranOne, TOOL_OUTCOME_UNKNOWN, TOOL_NOT_STARTED).user('Continue.')
    expect(stopped.next).toEqual([runTwo, write])
    const cancelled = start().step(new Error('cancelled'), ranTwo, TOOL_ABORTED_BEFORE_DISPATCH).user('go on')
    expect(cancelled.next).toEqual([runOne, write])
  })

  it('starts over where nothing was asked for yet', () => {
    expect(start().user('Continue.').next).toEqual([runOne, runTwo, write])
  })

  it('does not try again in the same turn what failed in it', () => {
    const failed = start().step(new Error('no such directory'), ranTwo, 'Wrote report.md')
    expect(failed.next).toEqual([])
    expect(failed.text).toContain('one: not known (no such directory)')
  })

  it('writes a report that was never started', () => {
    expect(start().step(ranOne, ranTwo, TOOL_NOT_STARTED).user('Continue.').next).toEqual([write])
  })

  it('does nothing twice once all is done', () => {
    expect(start().step(ranOne, ranTwo, 'Wrote report.md').user('Continue.').next).toEqual([])
  })
})

describe('M3: a write whose outcome is unknown', () => {
  const unknown = () => start().step(ranOne, ranTwo, TOOL_OUTCOME_UNKNOWN).user('Continue.')

  it('is verified by reading', () => {
    expect(unknown().next).toEqual(['read_file {"path":"report.md"}'])
  })

  it('is not repeated when the file holds the report', () => {
    const verified = unknown().step(report)
    expect(verified.next).toEqual([])
    expect(verified.text).toContain('had been written before the interruption')
  })

  it('is repeated when the file is missing, holds something else, or could not be read in time', () => {
    expect(unknown().step(new Error('ENOENT')).next).toEqual([write])
    expect(unknown().step('an old report').next).toEqual([write])
    expect(unknown().step(TOOL_NOT_STARTED).user('Continue.').next).toEqual([
      'read_file {"path":"report.md"}',
    ])
  })
})

it('gives up on a report that cannot be written, and says so', () => {
  const failed = start().step(ranOne, ranTwo, new Error('disk full'))
  expect(failed.next).toEqual([])
  expect(failed.text).toContain('I could not write the report: disk full')
})

it('takes a new prompt for a new task', () => {
  const again = start().step(ranOne, ranTwo, 'Wrote report.md').user(prompt)
  expect(again.next).toEqual([runOne, runTwo, write])
})

it('never repeats a shell command by itself', () => {
  const shell = new Conversation().user('run `make release`').step(TOOL_OUTCOME_UNKNOWN).user('Continue.')
  expect(shell.next).toEqual([])
  expect(shell.text).toContain('I do not know whether')
})

it('looks at the workspace where the prompt names no directories', () => {
  const looking = new Conversation().user('run all tests and write report.md')
  expect(looking.next).toEqual(['list_files {}'])
  const seen = looking.step('x/\nx/x.test.js\ny/\ny/package.json\ndocs/')
  expect(seen.next).toEqual([
    'run_tests {"directory":"x"}',
    'run_tests {"directory":"y"}',
    'write_report {"path":"report.md","directories":["x","y"]}',
  ])
})

it('quotes the start of a long result', () => {
  const { text } = new Conversation().user('read big.txt').step('x'.repeat(5_000))
  expect(text).toMatch(/^x{2000}\n… and 3000 more characters$/)
})
