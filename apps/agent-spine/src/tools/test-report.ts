import { outcomeText, type TestOutcome } from './test-outcome.js'

/** What is known of one directory's tests: what they came to, or why that is not known. */
export type TestRun =
  | { readonly kind: 'ran'; readonly outcome: TestOutcome }
  | { readonly kind: 'no-outcome'; readonly directory: string; readonly why: string }

/** Writes the report from what the runs returned and nothing else: the same runs give the same bytes. */
export function composeReport(runs: readonly TestRun[]): string {
  const rows = runs.map(run => tableRow(run))
  return [
    '# Test report',
    '',
    totals(runs),
    '',
    '| directory | outcome | tests | exit code | time |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
    ...runs.flatMap(run => details(run)),
  ].join('\n')
}

/** `2 of 3 directories passed; 10 tests: 9 passed, 1 failed.` */
export function totals(runs: readonly TestRun[]): string {
  const outcomes = runs.flatMap(run => (run.kind === 'ran' ? [run.outcome] : []))
  const good = outcomes.filter(({ outcome }) => outcome === 'passed').length
  const passed = sum(outcomes.map(outcome => outcome.passed ?? 0))
  const failed = sum(outcomes.map(outcome => outcome.failed ?? 0))
  const directories = `${good} of ${runs.length} ${runs.length === 1 ? 'directory' : 'directories'} passed`
  if (passed + failed === 0) return `${directories}.`
  return `${directories}; ${passed + failed} tests: ${passed} passed, ${failed} failed.`
}

function tableRow(run: TestRun): string {
  if (run.kind === 'no-outcome') return `| ${cell(run.directory)} | not known | | | |`
  const { outcome } = run
  const tests = outcome.passed === undefined ? '' : outcomeText(outcome)
  const exit = outcome.exitCode ?? outcome.endedBy ?? ''
  return `| ${cell(outcome.directory)} | ${outcome.outcome} | ${tests} | ${exit} | ${seconds(outcome.durationMs)} |`
}

function details(run: TestRun): string[] {
  if (run.kind === 'no-outcome') return [`## ${run.directory}`, '', run.why, '']
  const { outcome } = run
  if (outcome.outcome !== 'failed') return []
  const fence = longestFence(outcome.output)
  return [
    `## ${outcome.directory}`,
    '',
    `\`${outcome.command}\` printed, at its end:`,
    '',
    `${fence}text`,
    outcome.output.trimEnd(),
    fence,
    '',
  ]
}

/** A fence longer than any run of backticks in the text. */
function longestFence(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length))
  return '`'.repeat(longest + 1)
}

function cell(text: string): string {
  return text.replace(/[|\n]/g, character => (character === '|' ? '\\|' : ' '))
}

function seconds(durationMs: number): string {
  return `${(durationMs / 1000).toFixed(1)} s`
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
