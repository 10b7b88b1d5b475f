import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, it, vi } from 'vitest'
import { bundleCli } from './bundle-cli.js'
import { jsonLines, runCli } from './cli-process.js'

// Real processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 })

let cli: string

beforeAll(async () => {
  cli = await bundleCli('demo')
})

it('shows three tests overlapping, the true report and where the session is', async () => {
  const home = await mkdtemp(join(tmpdir(), 'home-'))
  const { code, stdout, stderr } = await runCli(['demo'], { cli, home })
  expect(code, stderr).toBe(0)
  // What the README of the repository shows is what one sees, but for how long things took.
  const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8')
  const [, shown = ''] = /```text\n(● .*?)```/s.exec(readme) ?? []
  const [talk = '', printed = ''] = timeless(shown).split('\n\n2 of 3')
  expect(talk).toContain('✓ run_tests B')
  expect(timeless(stderr)).toContain(talk)
  expect(timeless(stdout)).toContain(`2 of 3${printed}`)
  expect(stdout).toContain('When each call ran (3 at once)')
  expect(stdout).toContain('2 of 3 directories passed; 10 tests: 9 passed, 1 failed.')
  expect(stdout).toContain('| B | failed | 2 passed, 1 failed | 1 |')
  expect(stdout).toContain("+ 'first'")
  const file = stdout.trim().split('\n').at(-1) ?? ''
  expect(file.startsWith(join(home, 'sessions'))).toBe(true)

  const verified = await runCli(['verify', file, '--json'], { cli, home })
  expect(JSON.parse(verified.stdout)).toMatchObject({ ok: true, verdict: 'sound', repairAdds: [] })
  const log = await runCli(['log', file, '--json'], { cli, home })
  const events = jsonLines(log.stdout) as unknown as { type: string; data: { callId?: string } }[]
  const at = (type: string) => events.flatMap((event, index) => (event.type === type ? [index] : []))
  const [dispatches, results] = [at('tool/dispatch'), at('tool/result')]
  expect(dispatches).toHaveLength(4)
  // Three dispatches before the first result; the report only after the third.
  expect(dispatches[2]).toBeLessThan(results[0] ?? 0)
  expect(dispatches[3]).toBeGreaterThan(results[2] ?? Infinity)
})

/** Without bars, durations and sizes, which differ from run to run. */
function timeless(text: string): string {
  return text.replace(/ *█+ *\d+\.\d+ s/g, ' … s').replace(/\(\d+ bytes\)/g, '(… bytes)')
}
