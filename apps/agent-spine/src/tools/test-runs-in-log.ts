import { type JsonObject } from '@agent-spine/schema'
import { type SessionEvent } from '@agent-spine/session'
import { parseArguments } from '@agent-spine/tools'
import { directoryName } from './directory-name.js'
import { parseTestOutcome } from './test-outcome.js'
import { type TestRun } from './test-report.js'

/** The latest committed result of every `run_tests` call, by directory, read from the log. */
export function testRunsInLog(events: readonly SessionEvent[]): ReadonlyMap<string, TestRun> {
  const asked = new Map<string, string>()
  const runs = new Map<string, TestRun>()
  for (const event of events) {
    if (event.type === 'tool/call' && event.data.name === 'run_tests') {
      const directory = directoryArgument(event.data.arguments)
      if (directory !== undefined) asked.set(event.data.callId, directory)
    } else if (event.type === 'tool/result') {
      const [result] = event.data.message.content
      if (result?.type !== 'tool-result') continue
      const directory = asked.get(result.toolCallId)
      if (directory === undefined) continue
      const text = result.content.map(block => (block.type === 'text' ? block.text : '')).join('')
      runs.set(directory, testRun(directory, text))
    }
  }
  return runs
}

/** What a `run_tests` result says about its directory. */
export function testRun(directory: string, resultText: string): TestRun {
  const outcome = parseTestOutcome(resultText)
  return outcome === undefined ? { kind: 'no-outcome', directory, why: resultText } : { kind: 'ran', outcome }
}

/** The directory a `run_tests` call names, if its arguments name one. */
export function directoryArgument(rawArguments: string): string | undefined {
  const value = parseArguments(rawArguments)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const directory = (value as JsonObject)['directory']
  return typeof directory === 'string' ? directoryName(directory) : undefined
}
