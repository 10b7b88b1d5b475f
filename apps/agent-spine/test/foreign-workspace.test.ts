import { mkdir, mkdtemp, readFile, realpath, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { bundleCli } from './bundle-cli.js'
import { jsonLines, runCli, startCli, type CliOptions } from './cli-process.js'

// Real processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 })

let options: CliOptions
let workspace: string

const passing = `import { test } from 'node:test'\ntest('a', () => {})\ntest('b', () => {})\n`
const failing = `import { test } from 'node:test'\ntest('a', () => { throw new Error('broken on purpose') })\n`

beforeAll(async () => {
  options = { cli: await bundleCli('foreign-workspace'), home: await mkdtemp(join(tmpdir(), 'home-')) }
})

beforeEach(async () => {
  workspace = await realpath(await mkdtemp(join(tmpdir(), 'foreign ')))
})

async function put(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(workspace, path)), { recursive: true })
    await writeFile(join(workspace, path), text)
  }
}

const report = () => readFile(join(workspace, 'report.md'), 'utf8')

it('finds the directories with tests of a workspace it has never seen, and reports their true outcome', async () => {
  await put({
    'parser/test/parse.test.mjs': passing,
    'printer/print.test.mjs': failing,
    'scripted/package.json': JSON.stringify({ scripts: { test: 'echo "  2 passing (1ms)"' } }),
    'docs/guide.md': 'no tests here',
  })
  const args = ['run', '--json', 'run all tests and write the outcome to report.md', '--workspace', workspace]
  const { code, stdout, stderr } = await runCli(args, options)
  expect(code, stderr).toBe(0)
  expect(stderr).toBe('')
  const events = jsonLines(stdout)
  expect(events[0]).toMatchObject({ type: 'session', workspace })
  expect(events.at(-1)).toMatchObject({ type: 'summary', ok: true, reason: 'completed' })
  const seqs = events.flatMap(event => ('seq' in event ? [event.seq] : []))
  expect(seqs).toEqual(seqs.toSorted((one, other) => one - other))
  const text = await report()
  expect(text).toContain('2 of 3 directories passed; 5 tests: 4 passed, 1 failed.')
  expect(text).toContain('| parser | passed | 2 passed | 0 |')
  expect(text).toContain('| printer | failed | 0 passed, 1 failed | 1 |')
  expect(text).toContain('| scripted | passed | 2 passed | 0 |')
  expect(text).toContain('broken on purpose')
  expect(text).not.toContain('docs')
})

it('says of a directory that is not there, and of one outside, that nothing is known', async () => {
  await put({ 'present/x.test.mjs': passing })
  const prompt =
    'run the tests of directories present, gone and ../outside and write the outcome to report.md'
  const { code, stdout } = await runCli(['run', prompt, '--workspace', workspace], options)
  expect(code).toBe(0)
  expect(stdout).toContain('gone: not known')
  const text = await report()
  expect(text).toContain('1 of 3 directories passed')
  expect(text).toContain('| gone | not known |')
  expect(text).toContain('| ../outside | not known |')
})

it('calls no tests "no tests", and a crash of the runner a failure', async () => {
  await put({ 'empty/index.js': '', 'crash/package.json': JSON.stringify({ scripts: { test: 'exit 7' } }) })
  const prompt = 'run the tests of directories empty and crash and write the outcome to report.md'
  expect((await runCli(['run', prompt, '--workspace', workspace], options)).code).toBe(0)
  const text = await report()
  expect(text).toMatch(/\| empty \| no-tests \|/)
  expect(text).toContain('| crash | failed |  | 7 |')
})

it('believes the counts of a runner that exits 0 although tests failed, and says that it did', async () => {
  const script = 'echo "Tests: 3 failed, 5 passed"; exit 0'
  await put({ 'liar/package.json': JSON.stringify({ scripts: { test: script } }) })
  const prompt = 'run the tests of directory liar and write the outcome to report.md'
  const { code, stdout } = await runCli(['run', prompt, '--workspace', workspace], options)
  expect(code).toBe(0)
  expect(stdout).toContain('- liar: 5 passed, 3 failed, although the runner exited 0')
  const text = await report()
  expect(text).toContain('0 of 1 directory passed; 8 tests: 5 passed, 3 failed.')
  expect(text).toContain('| liar | failed | 5 passed, 3 failed, although the runner exited 0 | 0 |')
})

it('says of a package.json that is not JSON that nothing is known, and runs nothing instead', async () => {
  await put({ 'bad/package.json': '{ "scripts": ', 'bad/x.test.mjs': passing })
  const prompt = 'run the tests of directory bad and write the outcome to report.md'
  const { stdout } = await runCli(['run', prompt, '--workspace', workspace], options)
  expect(stdout).toContain('0 of 1 directory passed.')
  expect(stdout).toContain('bad: not known (')
  expect(stdout).toContain('package.json')
})

it('runs one at a time with --max-parallel 1', async () => {
  await put({ 'one/x.test.mjs': passing, 'two/x.test.mjs': passing })
  const args = [
    'run',
    '--json',
    'run the tests of directories one and two',
    '--workspace',
    workspace,
    '--max-parallel',
    '1',
  ]
  const { stdout } = await runCli(args, options)
  const order = jsonLines(stdout).flatMap(({ type }) =>
    type === 'call-dispatched' || type === 'call-settled' ? [type] : [],
  )
  expect(order).toEqual(['call-dispatched', 'call-settled', 'call-dispatched', 'call-settled'])
})

it('does not run a shell command that nobody allowed, and runs it with --allow-bash', async () => {
  const args = ['run', 'run `echo made > made.txt`', '--workspace', workspace]
  const denied = await runCli(args, options)
  expect(denied.stdout).toContain('nobody can be asked')
  await expect(readFile(join(workspace, 'made.txt'))).rejects.toMatchObject({ code: 'ENOENT' })
  const allowed = await runCli([...args, '--allow-bash'], options)
  expect(allowed.stdout).toContain('exit code 0')
  expect(await readFile(join(workspace, 'made.txt'), 'utf8')).toBe('made\n')
})

it('ends quietly, with a session that verifies, when the reader of stdout leaves', async () => {
  await put({ 'here/x.test.mjs': passing })
  const run = startCli(
    ['run', '--json', 'run the tests of directory here', '--workspace', workspace],
    options,
  )
  const { id } = await run.event('session')
  run.child.stdout?.destroy()
  const { code, stderr } = await run.end
  expect(stderr).toBe('')
  expect(code).toBe(130)
  expect((await runCli(['verify', id], options)).code).toBe(0)
})
