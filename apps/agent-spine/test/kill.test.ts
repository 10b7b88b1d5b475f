import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { bundleCli } from './bundle-cli.js'
import { jsonLines, runCli, startCli, type CliOptions, type CliProcess } from './cli-process.js'
import { gatedWorkspace } from './gated-workspace.js'

// Real processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 })

const prompt = 'run the tests of directories red and green and write the outcome to report.md'

let cli: string
let workspace: Awaited<ReturnType<typeof gatedWorkspace>>
let options: CliOptions

beforeAll(async () => {
  cli = await bundleCli('kill')
})

beforeEach(async () => {
  workspace = await gatedWorkspace(['red', 'green'])
  options = { cli, home: await mkdtemp(join(tmpdir(), 'home-')), variables: { GATE: workspace.gate } }
})

afterEach(() => workspace.close())

const moments: readonly { readonly when: string; readonly reach: (run: CliProcess) => Promise<unknown> }[] = [
  { when: 'the prompt is durable and nothing else', reach: run => run.event('session') },
  { when: 'the answer streams', reach: run => run.event('text', 5) },
  { when: 'the first call is asked for', reach: run => run.event('call') },
  {
    when: 'the tests run',
    reach: run => run.reaches(Promise.all([workspace.arrived('red'), workspace.arrived('green')])),
  },
  {
    when: 'the first result is committed',
    reach: async run => {
      await run.reaches(workspace.arrived('red'))
      workspace.open('red', 'fail')
      return run.event('call-result')
    },
  },
  {
    when: 'the report is being written',
    reach: run => {
      workspace.open('red', 'fail')
      workspace.open('green', 'pass')
      return run.event('call-dispatched', 3)
    },
  },
  {
    when: 'the last answer streams',
    reach: async run => {
      workspace.open('red', 'fail')
      workspace.open('green', 'pass')
      await run.event('call-result', 3)
      return run.event('text', 12)
    },
  },
]

it.each(moments)(
  'SIGKILL when $when: the session opens, verifies, and resume finishes the job',
  async ({ reach }) => {
    const run = startCli(['run', '--json', prompt, '--workspace', workspace.directory], options)
    const { id } = await run.event('session')
    await reach(run)
    run.child.kill('SIGKILL')
    await run.end

    const verified = await runCli(['verify', id, '--json'], options)
    expect(verified).toMatchObject({ code: 0 })
    expect(jsonLines((await runCli(['log', id, '--json'], options)).stdout).length).toBeGreaterThan(1)

    workspace.open('red', 'fail')
    workspace.open('green', 'pass')
    const resumed = await runCli(['resume', id, '--json'], options)
    expect(resumed).toMatchObject({ code: 0 })
    expect(JSON.parse((await runCli(['verify', id, '--json'], options)).stdout)).toMatchObject({
      verdict: 'sound',
    })
    const report = await readFile(join(workspace.directory, 'report.md'), 'utf8')
    expect(report).toContain('| red | failed | 0 passed, 1 failed | 1 |')
    expect(report).toContain('| green | passed | 1 passed | 0 |')
  },
)
