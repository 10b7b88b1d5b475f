/** How many tests a runner says passed, failed and were skipped. */
export interface TestCounts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** The closing lines of a runner: one line that gives them away, and where each count stands. */
interface Summary {
  readonly mark: RegExp
  /** Whether the counts stand in the marked line itself, or in lines around it. */
  readonly lines: 'one' | 'around'
  readonly counts: Readonly<Record<keyof TestCounts, RegExp>>
}

const summaries: readonly Summary[] = [
  {
    // Node "# pass 3" (TAP) or "ℹ pass 3" (spec); tape and tap "# pass  3".
    mark: /^[#ℹ] pass\s+\d+$/,
    lines: 'around',
    counts: {
      passed: /^[#ℹ] pass\s+(\d+)$/m,
      failed: /^[#ℹ] fail\s+(\d+)$/m,
      skipped: /^[#ℹ] skip(?:ped)?\s+(\d+)$/m,
    },
  },
  {
    // Vitest "Tests  1 failed | 2 passed (3)", Jest "Tests: 1 failed, 2 passed, 3 total".
    mark: /^\s*Tests:?\s.*\d+ (?:passed|failed|skipped|total)/,
    lines: 'one',
    counts: { passed: /(\d+) passed/, failed: /(\d+) failed/, skipped: /(\d+) (?:skipped|todo)/ },
  },
  {
    // Mocha "3 passing (12ms)", then "1 pending" and "1 failing" on lines of their own.
    mark: /^\s*\d+ passing\b/,
    lines: 'around',
    counts: {
      passed: /^\s*(\d+) passing\b/m,
      failed: /^\s*(\d+) failing\b/m,
      skipped: /^\s*(\d+) pending\b/m,
    },
  },
]

/** Reads the counts from a test runner's output; `undefined` when it says none that we know. */
export function readTestCounts(output: string): TestCounts | undefined {
  const lines = output.split(/\r?\n/)
  for (const summary of summaries) {
    const at = lines.findLastIndex(line => summary.mark.test(line))
    if (at === -1) continue
    const text = lines.slice(
      summary.lines === 'one' ? at : Math.max(0, at - 4),
      summary.lines === 'one' ? at + 1 : at + 8,
    )
    return countsIn(text.join('\n'), summary.counts)
  }
  return countTapLines(lines)
}

function countsIn(text: string, patterns: Summary['counts']): TestCounts {
  const count = (pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0)
  return { passed: count(patterns.passed), failed: count(patterns.failed), skipped: count(patterns.skipped) }
}

function countTapLines(lines: readonly string[]): TestCounts | undefined {
  if (!lines.some(line => /^(?:TAP version \d+|1\.\.\d+)/.test(line))) return undefined
  const results = lines.filter(line => /^(?:not )?ok\b/.test(line))
  const skipped = results.filter(line => /# (?:skip|todo)\b/i.test(line))
  const failed = results.filter(line => line.startsWith('not ok') && !skipped.includes(line))
  return {
    passed: results.length - skipped.length - failed.length,
    failed: failed.length,
    skipped: skipped.length,
  }
}
