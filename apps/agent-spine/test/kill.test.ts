import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { bundleCli } from './bundle-cli.js'
import { runCli, startCli, type CliOptions, type CliProcess } from './cli-process.js'
import { gatedWorkspace } from './gated-workspace.js'

// Real processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 })

const prompt = 'run the tests of directories red and green and write the outcome to report.md'

let cli: string

beforeAll(async () => {
  cli = await bundleCli('kill')
})

type Workspace = Awaited<ReturnType<typeof gatedWorkspace>>

const moments: readonly {
  readonly when: string
  readonly reach: (run: CliProcess, workspace: Workspace) => Promise<unknown>
}[] = [
  { when: 'the prompt is durable and nothing else', reach: run => run.event('session') },
  { when: 'the answer streams', reach: run => run.event('text', 5) },
  { when: 'the first call is asked for', reach: run => run.event('call') },
  {
    when: 'the tests run',
    reach: (run, workspace) =>
      run.reaches(Promise.all([workspace.arrived('red'), workspace.arrived('green')])),
  },
  {
    when: 'the first result is committed',
    async reach(run, workspace) {
      await run.reaches(workspace.arrived('red'))
      workspace.open('red', 'fail')
      await run.event('call-result')
    },
  },
  {
    when: 'the report is being written',
    async reach(run, workspace) {
      openGates(workspace)
      await run.event('call-dispatched', 3)
    },
  },
  {
    when: 'the report is written',
    async reach(run, workspace) {
      openGates(workspace)
      await run.event('call-result', 3)
    },
  },
]

function openGates(workspace: Workspace): void {
  workspace.open('red', 'fail')
  workspace.open('green', 'pass')
}

describe.concurrent('SIGKILL: the session verifies, and resume finishes the job', () => {
  it.each(moments)('when $when', async ({ reach }) => {
    const workspace = await gatedWorkspace(['red', 'green'])
    const home = await mkdtemp(join(tmpdir(), 'home-'))
    const options: CliOptions = { cli, home, variables: { GATE: workspace.gate } }
    const run = startCli(['run', '--json', prompt, '--workspace', workspace.directory], options)
    const { id } = await run.event('session')
    await reach(run, workspace)
    run.child.kill('SIGKILL')
    await run.end

    expect(await runCli(['verify', id], options)).toMatchObject({ code: 0 })
    openGates(workspace)
    expect(await runCli(['resume', id], options)).toMatchObject({ code: 0 })
    const verified = await runCli(['verify', id, '--json'], options)
    expect(JSON.parse(verified.stdout)).toMatchObject({ verdict: 'sound' })
    const report = await readFile(join(workspace.directory, 'report.md'), 'utf8')
    expect(report).toContain('| red | failed | 0 passed, 1 failed | 1 |')
    expect(report).toContain('| green | passed | 1 passed | 0 |')
    await workspace.close()
  })
})
