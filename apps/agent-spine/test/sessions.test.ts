import { chmod, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSession } from '@agent-spine/session'
import { jsonlStore } from '@agent-spine/session/jsonl'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { bundleCli } from './bundle-cli.js'
import { jsonLines, runCli, startCli, type CliOptions } from './cli-process.js'
import { gatedWorkspace } from './gated-workspace.js'

// Real processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 })

let cli: string
let options: CliOptions

beforeAll(async () => {
  cli = await bundleCli('sessions')
})

beforeEach(async () => {
  options = { cli, home: join(await mkdtemp(join(tmpdir(), 'sessions-')), 'home') }
})

async function finishedSession(): Promise<{
  readonly id: string
  readonly file: string
  readonly workspace: string
}> {
  const workspace = await mkdtemp(join(tmpdir(), 'plain-'))
  const { stdout } = await runCli(['run', '--json', 'list the files', '--workspace', workspace], options)
  const [session] = jsonLines(stdout)
  if (session?.type !== 'session') throw new Error(stdout)
  return session
}

it('keeps sessions for their owner only, and out of git', async () => {
  await finishedSession()
  expect((await stat(options.home)).mode & 0o777).toBe(0o700)
  expect((await stat(join(options.home, 'sessions'))).mode & 0o777).toBe(0o700)
  expect(await readFile(join(options.home, '.gitignore'), 'utf8')).toBe('*\n')
})

it('lists them', async () => {
  const { id } = await finishedSession()
  const { stdout } = await runCli(['sessions', '--json'], options)
  expect(JSON.parse(stdout)).toMatchObject({
    id,
    state: 'completed',
    turns: 1,
    calls: 1,
    prompt: 'list the files',
  })
})

it('log --json prints the events as the log holds them', async () => {
  const { id } = await finishedSession()
  const { stdout } = await runCli(['log', id, '--json'], options)
  const events = jsonLines(stdout) as unknown as { seq: number; type: string }[]
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index))
  expect(events.at(-1)).toMatchObject({ type: 'turn/end' })
})

it('resume of a complete session does nothing, and with a prompt goes on in the same workspace', async () => {
  const { id, workspace } = await finishedSession()
  await writeFile(join(workspace, 'note.txt'), 'the note')
  const nothing = await runCli(['resume', id], options)
  expect(nothing).toMatchObject({ code: 0, stdout: '' })
  const more = await runCli(['resume', id, 'read note.txt'], options)
  expect(more).toMatchObject({ code: 0, stdout: 'the note\n' })
})

it('a second writer is refused with SESSION_LOCKED, while log and verify read beside the first', async () => {
  const workspace = await gatedWorkspace(['busy'])
  const gated = { ...options, variables: { GATE: workspace.gate } }
  const run = startCli(
    ['run', '--json', 'run the tests of directory busy', '--workspace', workspace.directory],
    gated,
  )
  const { id } = await run.event('session')
  await run.reaches(workspace.arrived('busy'))

  const second = await runCli(['resume', id], options)
  expect(second.code).toBe(1)
  expect(second.stderr).toContain('error SESSION_LOCKED: ')
  expect(second.stderr).not.toMatch(/^\s+at /m)
  expect((await runCli(['repair', id, '--write'], options)).stderr).toContain('SESSION_LOCKED')
  expect(await runCli(['verify', id], options)).toMatchObject({ code: 0 })
  expect((await runCli(['log', id], options)).stdout).toContain('tool/dispatch')

  workspace.open('busy', 'pass')
  expect((await run.end).code).toBe(0)
  await workspace.close()
})

it('an unreadable file ends with a coded message', async context => {
  if (process.getuid?.() === 0) context.skip('root may read everything')
  const { id, file } = await finishedSession()
  await chmod(file, 0o000)
  const { code, stderr } = await runCli(['verify', id], options)
  expect(code).toBe(1)
  expect(stderr).toMatch(/^error [A-Z_]+: /)
})

it('a session that was never given a task cannot be resumed without one', async () => {
  const store = jsonlStore(join(options.home, 'sessions'))
  const session = await createSession({ id: 'taskless', store })
  await session.close()
  const { code, stderr } = await runCli(['resume', 'taskless'], options)
  expect(code).toBe(1)
  expect(stderr).toContain('error NOTHING_TO_RESUME: ')
  const elsewhere = await runCli(['resume', 'taskless', 'list the files'], options)
  expect(elsewhere).toMatchObject({ code: 2 })
  expect(elsewhere.stderr).toContain('error WORKSPACE_NOT_RECORDED: ')
  const named = await runCli(['resume', 'taskless', 'list the files', '--workspace', options.home], options)
  expect(named).toMatchObject({ code: 0 })
})

it('repair shows what is missing and adds it only with --write', async () => {
  const workspace = await gatedWorkspace(['busy'])
  const gated = { ...options, variables: { GATE: workspace.gate } }
  const run = startCli(
    ['run', '--json', 'run the tests of directory busy', '--workspace', workspace.directory],
    gated,
  )
  const { id, file } = await run.event('session')
  await run.reaches(workspace.arrived('busy'))
  run.child.kill('SIGKILL')
  await run.end
  const before = await readFile(file, 'utf8')
  const shown = await runCli(['repair', id, '--json'], options)
  expect(jsonLines(shown.stdout).map(({ type }) => type as string)).toEqual([
    'tool/result',
    'step/end',
    'turn/end',
  ])
  expect(await readFile(file, 'utf8')).toBe(before)
  expect((await runCli(['repair', id, '--write'], options)).code).toBe(0)
  expect(JSON.parse((await runCli(['verify', id, '--json'], options)).stdout)).toMatchObject({
    verdict: 'sound',
  })
  expect(
    (await readdir(join(options.home, 'sessions'))).filter(name => name.endsWith('.jsonl')),
  ).toHaveLength(1)
  await workspace.close()
})
