import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { bundleCli } from './bundle-cli.js'
import { runCli, startCli, type CliOptions } from './cli-process.js'
import { gatedWorkspace } from './gated-workspace.js'

// Real processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 })

const prompt = 'run the tests of directories red and green and write the outcome to report.md'

let cli: string
let workspace: Awaited<ReturnType<typeof gatedWorkspace>>
let options: CliOptions

beforeAll(async () => {
  cli = await bundleCli('interrupt')
})

beforeEach(async () => {
  workspace = await gatedWorkspace(['red', 'green'])
  const home = await mkdtemp(join(tmpdir(), 'home-'))
  options = { cli, home, variables: { GATE: workspace.gate } }
})

afterEach(() => workspace.close())

function startRun() {
  return startCli(['run', '--json', prompt, '--workspace', workspace.directory], options)
}

async function verdict(id: string): Promise<string> {
  const { code, stdout } = await runCli(['verify', id, '--json'], options)
  const { verdict: found } = JSON.parse(stdout) as { verdict: string }
  return `${found}, exit ${code}`
}

/** Resumes with the gates open, and answers the report. */
async function resumed(id: string): Promise<string> {
  workspace.open('red', 'fail')
  workspace.open('green', 'pass')
  const { code, stderr } = await runCli(['resume', id], options)
  expect(code, stderr).toBe(0)
  expect(await verdict(id)).toBe('sound, exit 0')
  return readFile(join(workspace.directory, 'report.md'), 'utf8')
}

describe('one Ctrl-C', () => {
  it.each(['SIGINT', 'SIGQUIT'] as const)(
    '%s while tests run: ends them, closes the log, says how to resume; resume finishes the job',
    async signal => {
      const run = startRun()
      const { id } = await run.event('session')
      await run.reaches(Promise.all([workspace.arrived('red'), workspace.arrived('green')]))
      run.child.kill(signal)
      const end = await run.end
      expect(end).toMatchObject({ code: 130, signal: null })
      await workspace.empty()
      expect(await verdict(id)).toBe('sound, exit 0')
      const report = await resumed(id)
      expect(report).toContain('| red | failed | 0 passed, 1 failed | 1 |')
      expect(report).toContain('| green | passed | 1 passed | 0 |')
    },
  )

  it('keeps the result of a run that ended before it, and does not repeat that run', async () => {
    const run = startRun()
    const { id } = await run.event('session')
    await run.reaches(Promise.all([workspace.arrived('red'), workspace.arrived('green')]))
    workspace.open('red', 'fail')
    await run.event('call-result')
    run.child.kill('SIGINT')
    expect((await run.end).code).toBe(130)
    expect(await resumed(id)).toContain('| red | failed |')
    const { stdout } = await runCli(['log', id, '--json'], options)
    expect(stdout.match(/"type":"tool\/call".*\\"directory\\":\\"red\\"/g)).toHaveLength(1)
    expect(stdout.match(/"type":"tool\/call".*\\"directory\\":\\"green\\"/g)).toHaveLength(2)
  })

  it('while the answer streams: keeps what was said, runs nothing', async () => {
    const run = startRun()
    const { id } = await run.event('session')
    await run.event('text', 2)
    run.child.kill('SIGINT')
    const { code, stdout } = await run.end
    expect(code).toBe(130)
    expect(stdout).toContain('"interrupted":true')
    expect(stdout).not.toContain('"type":"call"')
    expect(await verdict(id)).toBe('sound, exit 0')
    expect(await resumed(id)).toContain('| green | passed |')
  })

  it('that a package manager passes on too is still one: the log is closed', async () => {
    const run = startRun()
    const { id } = await run.event('session')
    await run.reaches(Promise.all([workspace.arrived('red'), workspace.arrived('green')]))
    run.child.kill('SIGINT')
    run.child.kill('SIGTERM')
    expect((await run.end).code).toBe(130)
    expect(await verdict(id)).toBe('sound, exit 0')
  })

  it('says on stderr how to go on', async () => {
    const run = startCli(['run', prompt, '--workspace', workspace.directory], options)
    await run.reaches(workspace.arrived('red'))
    run.child.kill('SIGINT')
    const { stderr } = await run.end
    expect(stderr).toMatch(/agent-spine resume \d{8}-\d{6}-\w{4}/)
  })
})

it('a second Ctrl-C ends the process and what it started at once; the session still opens and resumes', async () => {
  // Nothing of it heeds SIGTERM, so that the first Ctrl-C has to wait for two seconds.
  const stubborn = 'run `trap "" TERM; node red/*; sleep 60`'
  const run = startCli(['run', '--json', '--allow-bash', stubborn, '--workspace', workspace.directory], {
    ...options,
    variables: { ...options.variables, STUBBORN: '1' },
  })
  const { id } = await run.event('session')
  await run.reaches(workspace.arrived('workspace'))
  run.child.kill('SIGINT')
  await run.talk('once more')
  const pressing = setInterval(() => run.child.kill('SIGINT'), 300)
  expect((await run.end).code).toBe(130)
  clearInterval(pressing)
  await workspace.empty()
  expect(await verdict(id)).toBe('needs-repair, exit 0')
  const { code, stdout, stderr } = await runCli(['resume', id], options)
  expect(code, stderr).toBe(0)
  expect(stdout).toContain('I do not know whether bash did its work')
  expect(await verdict(id)).toBe('sound, exit 0')
})
