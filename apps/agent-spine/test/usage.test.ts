import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { copyFile, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { bundleCli } from './bundle-cli.js'
import { jsonLines, runCli, type CliOptions } from './cli-process.js'

// Real processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 })

let options: CliOptions
let cwd: string

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'usage-'))
  await writeFile(join(cwd, 'a-file'), 'x')
  options = { cli: await bundleCli('usage'), home: join(cwd, 'home'), cwd }
})

const bad: readonly {
  readonly args: readonly string[]
  readonly code: string
  readonly exit: number
  readonly says?: string
}[] = [
  { args: ['frobnicate'], code: 'USAGE', exit: 2 },
  { args: ['constructor'], code: 'USAGE', exit: 2 },
  { args: ['run', '--frobnicate'], code: 'USAGE', exit: 2 },
  { args: ['run', 'two', 'prompts'], code: 'USAGE', exit: 2 },
  { args: ['run', '--max-parallel'], code: 'USAGE', exit: 2 },
  { args: ['run', '--max-parallel', '0'], code: 'USAGE', exit: 2 },
  { args: ['run', '--max-parallel', '-1'], code: 'USAGE', exit: 2, says: 'at least 1, found "-1"' },
  { args: ['run', '--max-parallel', '1.5'], code: 'USAGE', exit: 2 },
  { args: ['run', '--guard', 'none'], code: 'USAGE', exit: 2 },
  {
    args: ['run', '--model', 'nobody:nothing'],
    code: 'UNKNOWN_PROVIDER',
    exit: 2,
    says: 'openai-compatible',
  },
  { args: ['run', '--model', 'openai:'], code: 'USAGE', exit: 2, says: 'a model of openai too' },
  { args: ['run', '--model', 'gpt-5'], code: 'USAGE', exit: 2, says: 'PROVIDER:MODEL' },
  { args: ['run', '--workspace', 'no/such/place'], code: 'WORKSPACE_NOT_FOUND', exit: 2 },
  { args: ['run', '--workspace', 'a-file'], code: 'WORKSPACE_NOT_FOUND', exit: 2 },
  { args: ['run', ''], code: 'USAGE', exit: 2 },
  { args: ['run', '   '], code: 'USAGE', exit: 2 },
  { args: ['resume', 'no-such-session', ''], code: 'USAGE', exit: 2 },
  { args: ['resume'], code: 'USAGE', exit: 2 },
  { args: ['resume', 'no-such-session'], code: 'SESSION_NOT_FOUND', exit: 2 },
  { args: ['log', 'no-such-session'], code: 'SESSION_NOT_FOUND', exit: 2 },
  { args: ['verify', 'not a session id'], code: 'INVALID_SESSION_ID', exit: 2 },
  { args: ['verify', './no/such/file.jsonl'], code: 'SESSION_NOT_FOUND', exit: 2 },
  { args: ['verify', './a-file'], code: 'SESSION_NOT_FOUND', exit: 2 },
  { args: ['verify', '/no-such-session'], code: 'SESSION_NOT_FOUND', exit: 2, says: '"no-such-session"' },
  { args: ['repair', '..'], code: 'INVALID_SESSION_ID', exit: 2 },
  { args: ['repair', 'no-such-session', '--salvage'], code: 'SESSION_NOT_FOUND', exit: 2 },
  { args: ['repair', 'x', '--salvage', '--write'], code: 'USAGE', exit: 2, says: 'drop one' },
  { args: ['sessions', 'surplus'], code: 'USAGE', exit: 2 },
  { args: ['view', '--json', '--out', '-', 'x'], code: 'USAGE', exit: 2, says: 'drop one' },
  { args: ['view', 'no-such-session'], code: 'SESSION_NOT_FOUND', exit: 2 },
  { args: ['view', 'no-such-session', '--live'], code: 'SESSION_NOT_FOUND', exit: 2 },
  { args: ['view', 'no-such-session', '--port', '1'], code: 'USAGE', exit: 2, says: '--live' },
  { args: ['view', 'no-such-session', '--live', '--out', 'x'], code: 'USAGE', exit: 2 },
  { args: ['view', 'no-such-session', '--live', '--port', '65536'], code: 'USAGE', exit: 2 },
  { args: ['view', 'no-such-session', '--live', '--port', '-1'], code: 'USAGE', exit: 2 },
  { args: ['trace', 'no-such-session'], code: 'SESSION_NOT_FOUND', exit: 2 },
  { args: ['trace', 'not a session id'], code: 'INVALID_SESSION_ID', exit: 2 },
]

describe.concurrent('bad usage ends with a code, a hint and no stack trace', () => {
  it.each(bad)('$args → $code', async ({ args, code, exit, says = '' }) => {
    const end = await runCli(args, options)
    expect(end.code).toBe(exit)
    expect(end.stderr).toContain(`error ${code}: `)
    expect(end.stderr).toContain('hint: ')
    expect(end.stderr).toContain(says)
    expect(end.stderr).not.toMatch(/^\s+at /m)
    if (!args.includes('--json')) expect(end.stdout).toBe('')
  })

  it.each(bad)('$args with --json → one object that says $code', async ({ args, code, exit }) => {
    const [name = '', ...rest] = args
    const end = await runCli([name, '--json', ...rest.filter(argument => argument !== '--json')], options)
    expect(end.code).toBe(exit)
    const type = ['run', 'resume'].includes(name) ? 'summary' : 'error'
    expect(JSON.parse(end.stdout)).toMatchObject({ type, ok: false, exitCode: exit, code })
    expect(end.stderr).toContain(`error ${code}: `)
  })

  it('with --json, the last line of stdout says it too', async () => {
    const { stdout } = await runCli(['run', '--json', '--workspace', 'no/such/place'], options)
    expect(jsonLines(stdout).at(-1)).toMatchObject({
      type: 'summary',
      ok: false,
      exitCode: 2,
      code: 'WORKSPACE_NOT_FOUND',
    })
  })

  it.each([
    ['is a file', 'a-file'],
    ['is below a file', 'a-file/home'],
    ['has too long a name', 'x'.repeat(300)],
  ])('a home that %s is named, with a hint', async (_what, home) => {
    const { code, stderr } = await runCli(['run', 'list files'], { ...options, home: join(cwd, home) })
    expect(code).toBe(1)
    expect(stderr).toContain('error HOME_NOT_USABLE: ')
    expect(stderr).toContain('hint: set AGENT_SPINE_HOME')
    const listed = await runCli(['sessions'], { ...options, home: join(cwd, home) })
    expect(listed.stderr).not.toMatch(/^error (E[A-Z]+): \1/)
    if (listed.code !== 0) expect(listed.stderr).toContain('hint: ')
  })

  it('makes no session for a prompt that says nothing, and says so in JSON too', async () => {
    const home = join(cwd, 'home-without-sessions')
    const { code, stdout } = await runCli(['run', '--json', ''], { ...options, home })
    expect(code).toBe(2)
    expect(jsonLines(stdout)).toMatchObject([{ type: 'summary', ok: false, exitCode: 2, code: 'USAGE' }])
    await expect(readdir(home)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('shows the stack to whoever asks for it', async () => {
    const end = await runCli(['frobnicate'], { ...options, variables: { AGENT_SPINE_DEBUG: '1' } })
    expect(end.stderr).toMatch(/^\s+at /m)
  })
})

describe.concurrent('help', () => {
  it.each(['demo', 'run', 'resume', 'sessions', 'log', 'view', 'trace', 'verify', 'repair', 'deaths'])(
    '%s --help has examples',
    async name => {
      const { code, stdout, stderr } = await runCli([name, '--help'], options)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toContain(`agent-spine ${name}`)
      expect(stdout.slice(stdout.indexOf('EXAMPLES'))).toContain(`  agent-spine ${name}`)
    },
  )

  it('--help lists every command, and no command at all is wrong usage', async () => {
    const help = await runCli(['--help'], options)
    expect(help.code).toBe(0)
    const nothing = await runCli([], options)
    expect(nothing).toMatchObject({ code: 2, stdout: '', stderr: help.stdout })
  })

  it('--version is that of the package', async () => {
    const manifest = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {
      version: string
    }
    expect((await runCli(['--version'], options)).stdout).toBe(`${manifest.version}\n`)
  })
})

it.runIf(existsSync('/dev/full'))(
  'says so, and fails, where stdout cannot take what is printed',
  async () => {
    const workspace = await mkdtemp(join(cwd, 'small-'))
    const home = join(workspace, 'home')
    for (const args of [
      ['run', '--json', 'list files', '--workspace', workspace],
      ['sessions', '--json'],
    ]) {
      const full = openSync('/dev/full', 'w')
      const { status, stderr } = spawnSync(process.execPath, [options.cli, ...args], {
        env: { ...process.env, AGENT_SPINE_HOME: home },
        stdio: ['ignore', full, 'pipe'],
        encoding: 'utf8',
      })
      closeSync(full)
      expect(status, args.join(' ')).toBe(1)
      expect(stderr).toContain('error OUTPUT_FAILED: ')
    }
  },
)

it('reads the latest session where none is named, and says which; where there is none, it says so', async () => {
  const workspace = await mkdtemp(join(cwd, 'latest-'))
  const own = { ...options, home: join(workspace, 'home') }
  const none = await runCli(['log'], own)
  expect(none).toMatchObject({ code: 2, stdout: '' })
  expect(none.stderr).toContain('error NO_SESSIONS: ')
  const ids: string[] = []
  for (const prompt of ['list files', 'list directories']) {
    const { stdout } = await runCli(['run', '--json', prompt, '--workspace', workspace], own)
    ids.push((jsonLines(stdout).at(-1) as { session: string }).session)
  }
  const { code, stdout, stderr } = await runCli(['verify', '--json'], own)
  expect(code).toBe(0)
  expect(stderr).toBe(`the latest session: ${ids[1]}\n`)
  expect(JSON.parse(stdout)).toMatchObject({ session: ids[1], verdict: 'sound' })
})

it('a log under another name is not taken for a damaged one', async () => {
  const workspace = await mkdtemp(join(cwd, 'renamed-'))
  const { stdout } = await runCli(['run', '--json', 'list files', '--workspace', workspace], options)
  const { session, file } = jsonLines(stdout).at(-1) as { session: string; file: string }
  await copyFile(file, join(workspace, 'session.jsonl'))
  const other = await runCli(['log', './session.jsonl'], { ...options, cwd: workspace })
  expect(other).toMatchObject({ code: 2, stdout: '' })
  expect(other.stderr).toContain(
    `error SESSION_RENAMED: expected the file of session ${session} to be called`,
  )
  expect(await readdir(workspace)).toEqual(['session.jsonl'])
  await copyFile(file, join(workspace, `${session}.jsonl`))
  expect((await runCli(['log', `./${session}.jsonl`], { ...options, cwd: workspace })).code).toBe(0)
})

it('sessions of a place that holds none says so, and makes nothing', async () => {
  const { code, stdout, stderr } = await runCli(['sessions'], { ...options, home: join(cwd, 'nowhere') })
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
  expect(stderr).toContain('no sessions in')
  await expect(readFile(join(cwd, 'nowhere'))).rejects.toMatchObject({ code: 'ENOENT' })
})
