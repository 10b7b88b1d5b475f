/** Everything a release needs, in one command. Runs every check even when one fails, and counts what passed. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './run.js'
import { root } from './workspace.js'

const report = join(root, 'coverage', 'unit.json')

const checks = [
  ['format', ['prettier', '--check', '.', '--log-level', 'warn']],
  ['build', ['turbo', 'run', 'build', '--output-logs=errors-only']],
  ['types', ['turbo', 'run', 'typecheck', '--output-logs=errors-only']],
  ['types of the tooling', ['tsc', '-p', 'tsconfig.json']],
  ['lint', ['eslint', '.', '--max-warnings', '0']],
  ['dependency arrows', ['depcruise', 'packages', 'apps', '--config', '.dependency-cruiser.js']],
  ['unused code', ['knip', '--no-config-hints']],
  [
    'tests',
    ['vitest', 'run', '--coverage', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
  ],
  ['packed packages', ['node', 'tooling/consumers.js']],
  ['browser bundles', ['node', 'tooling/browser.js']],
  ['size limits', ['size-limit']],
]

rmSync(join(root, 'coverage'), { recursive: true, force: true })
mkdirSync(join(root, 'coverage'))
const outcomes = []
for (const [name, command] of checks) {
  console.log(`\n── ${name}`)
  const startedAt = performance.now()
  const { code } = await run(command, { stdio: ['ignore', 'inherit', 'inherit'] })
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  outcomes.push({ name, ok: code === 0, seconds })
}

console.log('\n── summary')
for (const { name, ok, seconds } of outcomes)
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`)
const unit = unitTests()
if (unit.skipped > 0) console.log(`${unit.skipped} tests skipped`)
const failed = unit.failed + outcomes.filter(({ ok }) => !ok).length
console.log(`${unit.passed + outcomes.filter(({ ok }) => ok).length} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

/** A run whose report is missing counts as failed through the exit code of its check. */
function unitTests() {
  try {
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'))
    return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests }
  } catch {
    return { passed: 0, failed: 0, skipped: 0 }
  }
}
