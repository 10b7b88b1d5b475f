// Decides the next step of "run the tests of … and write the outcome to …" from what the conversation already holds.
//
//   M1  A directory whose outcome is known is not run again; one whose run failed, never started or has no known outcome
//       is, because running tests is safe to repeat. What failed since the person's last message is not tried again.
//   M2  The report is asked for in the same step as the runs it is about; it is exclusive, so it starts after they committed.
//   M3  A write whose outcome is unknown is verified by reading the file before it is repeated.
//   M4  What the model says at the end comes from the results alone.
import { composeReport, totals, type TestRun } from '../tools/test-report.js'
import { outcomeText } from '../tools/test-outcome.js'
import { directoryName } from '../tools/directory-name.js'
import { testRun } from '../tools/test-runs-in-log.js'
import { say, type Answer } from './answer.js'
import { type CallRecord, type Task } from './conversation.js'
import { type Instruction } from './instruction.js'
import { testDirectories } from './test-directories.js'

type TestInstruction = Extract<Instruction, { kind: 'test' }>

export function planTests(
  { prompt, calls }: Task,
  { directories: named, candidates, reportPath }: TestInstruction,
): Answer {
  const listing = calls.findLast(({ name, state }) => name === 'list_files' && state === 'succeeded')
  if (named === undefined && listing === undefined) return lookAround(calls)
  const asked = named ?? testDirectories(listing?.text ?? '', prompt, candidates)
  const directories = [...new Set(asked.map(directoryName))]
  if (directories.length === 0)
    return say('I found no directory with tests in the workspace, so I ran nothing.')

  const runs = directories.map(directory => latestRun(calls, directory))
  const missing = directories.filter((_, index) => runs[index] === undefined)
  const known = runs.filter(run => run !== undefined)
  if (missing.length > 0) return runMissing(missing, known.length, reportCall(directories, reportPath))
  return reportPath === undefined ? finalWords(known) : planReport(calls, known, reportPath)
}

function lookAround(calls: readonly CallRecord[]): Answer {
  const failure = calls.findLast(
    ({ name, state, current }) => name === 'list_files' && state === 'failed' && current,
  )
  if (failure !== undefined) return say(`I could not look at the workspace: ${failure.text}`)
  return {
    text: 'I will look at the workspace to see which directories have tests.',
    calls: [{ name: 'list_files', args: {} }],
  }
}

function runMissing(missing: readonly string[], knownCount: number, report: Answer['calls']): Answer {
  const what =
    missing.length === 1
      ? (missing[0] ?? '')
      : `${missing.slice(0, -1).join(', ')} and ${missing.at(-1) ?? ''}`
  const again = knownCount > 0 ? `The outcome of ${knownCount} is known already. ` : ''
  const together = missing.length > 1 ? ', all at the same time' : ''
  const then = report.length > 0 ? ', and then write the report' : ''
  return {
    text: `${again}I will run the tests of ${what}${together}${then}.`,
    calls: [...missing.map(directory => ({ name: 'run_tests', args: { directory } })), ...report],
  }
}

function reportCall(directories: readonly string[], path: string | undefined): Answer['calls'] {
  return path === undefined ? [] : [{ name: 'write_report', args: { path, directories } }]
}

function planReport(calls: readonly CallRecord[], runs: readonly TestRun[], path: string): Answer {
  const at = calls.findLastIndex(({ name, state }) => name === 'write_report' && state !== 'not-run')
  const write = calls[at]
  const isWritten = (file: CallRecord | undefined) => file?.text === composeReport(runs)
  if (write?.state === 'succeeded') return finalWords(runs, `The report is in ${path}.`)
  if (write?.state === 'failed' && write.current)
    return finalWords(runs, `I could not write the report: ${write.text}`)
  if (write?.state === 'unknown') {
    const check = calls.slice(at).find(({ name, state }) => name === 'read_file' && state !== 'not-run')
    if (check === undefined || (check.state !== 'succeeded' && !check.current)) {
      return {
        text: `I do not know whether ${path} was written, so I will read it first.`,
        calls: [{ name: 'read_file', args: { path } }],
      }
    }
    if (isWritten(check))
      return finalWords(runs, `The report is in ${path}; it had been written before the interruption.`)
  }
  const directories = runs.map(run => (run.kind === 'ran' ? run.outcome.directory : run.directory))
  return { text: 'All outcomes are known; I will write the report.', calls: reportCall(directories, path) }
}

function latestRun(calls: readonly CallRecord[], directory: string): TestRun | undefined {
  const record = calls.findLast(
    ({ name, args, state, current }) =>
      name === 'run_tests' &&
      typeof args['directory'] === 'string' &&
      directoryName(args['directory']) === directory &&
      (state === 'succeeded' || current),
  )
  return record && testRun(directory, record.text)
}

function finalWords(runs: readonly TestRun[], closing?: string): Answer {
  const lines = runs.map(run =>
    run.kind === 'ran'
      ? `- ${run.outcome.directory}: ${outcomeText(run.outcome)}`
      : `- ${run.directory}: not known (${run.why})`,
  )
  return say([totals(runs), ...lines, ...(closing === undefined ? [] : [closing])].join('\n'))
}
