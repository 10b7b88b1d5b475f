import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, it, vi } from 'vitest'
import { bundleCli } from './bundle-cli.js'
import { runCli, type CliOptions } from './cli-process.js'

// Real processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 })

interface Entry {
  readonly death: string
  readonly session: string
  readonly added: readonly { readonly type: string; readonly data: unknown }[]
  readonly repairAdds: readonly { readonly type: string; readonly data: unknown }[]
}

let options: CliOptions

beforeAll(async () => {
  options = { cli: await bundleCli('deaths'), home: await mkdtemp(join(tmpdir(), 'home-')) }
})

it('stages all five on real processes, and each log tells the truth about its own', async () => {
  const { code, stdout, stderr } = await runCli(['deaths', '--json'], options)
  expect(code, stderr).toBe(0)
  const entries = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Entry)
  expect(entries).toMatchObject([
    { death: 'cancel-streaming', end: { code: 130 }, verdict: 'sound' },
    { death: 'cancel-calls', end: { code: 130 }, verdict: 'sound' },
    { death: 'input-after-cancel', end: { code: 130 }, verdict: 'sound' },
    { death: 'stage-fails', end: { code: 1 }, verdict: 'needs-repair' },
    { death: 'kill', end: { code: null, signal: 'SIGKILL' }, verdict: 'needs-repair' },
  ])
  const told = (events: Entry['added'] | undefined) => JSON.stringify(events)
  const [streaming, calls, input, stage, kill] = entries
  expect(told(streaming?.added)).toContain('"interrupted":true')
  expect(calls?.added.filter(({ type }) => type === 'tool/result')).toHaveLength(3)
  expect(told(calls?.added)).toContain('ABORTED_BEFORE_DISPATCH')
  expect(told(input?.added)).toContain('I am still here.')
  expect(stage?.added.some(({ type }) => type === 'tool/result')).toBe(false)
  expect(stage?.repairAdds.filter(({ type }) => type === 'tool/result')).toHaveLength(3)
  expect(kill?.added).toEqual([])
  expect(told(kill?.repairAdds).match(/TOOL_OUTCOME_UNKNOWN/g)).toHaveLength(2)
  expect(told(kill?.repairAdds).match(/TOOL_NOT_STARTED/g)).toHaveLength(1)
  // The sessions stay, and are like any other.
  expect((await runCli(['verify', kill?.session ?? ''], options)).code).toBe(0)
})

it('tells a person what was added and why', async () => {
  const { code, stdout, stderr } = await runCli(['deaths'], options)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^1\. Cancelled while the answer streams {2}\(exit 130, session \d{8}-/m)
  expect(stdout).toMatch(/^5\. kill -9 while calls run {2}\(SIGKILL, session/m)
  expect(stdout).toContain('the log proves that the third never started')
  expect(stdout.match(/^ {2}verify: sound$/gm)).toHaveLength(3)
  expect(stdout.match(/^ {2}verify: needs-repair$/gm)).toHaveLength(2)
})

it('--stage without --session is wrong usage', async () => {
  const { code, stderr } = await runCli(['deaths', '--stage', 'kill'], options)
  expect(code).toBe(2)
  expect(stderr).toContain('error USAGE: expected --session')
})
