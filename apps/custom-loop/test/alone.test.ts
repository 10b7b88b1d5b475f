/** The loop works where the scheduler's tarball is installed and nothing else of ours. */
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..', '..')
const scheduler = join(root, 'packages', 'scheduler')
const app = join(import.meta.dirname, '..')
const tool = (name: string) => join(root, 'node_modules', '.bin', name)
const workplace = mkdtempSync(join(tmpdir(), 'custom-loop-'))
const home = join(workplace, 'home')

function run(command: string, parameters: readonly string[], cwd: string): string {
  return execFileSync(command, parameters, { cwd, encoding: 'utf8' })
}

beforeAll(() => {
  // Built and packed aside: the package's own dist may be in use.
  const packed = join(workplace, 'scheduler')
  cpSync(scheduler, packed, {
    recursive: true,
    filter: path => !/node_modules|dist$/.test(path.slice(scheduler.length)),
  })
  run(tool('tsup'), ['--out-dir', join(packed, 'dist'), '--silent'], scheduler)
  run(
    tool('pnpm'),
    ['pack', '--config.verify-deps-before-run=false', '--out', join(workplace, 'scheduler.tgz')],
    packed,
  )

  mkdirSync(home)
  writeFileSync(join(home, 'package.json'), JSON.stringify({ name: 'home', private: true, type: 'module' }))
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(workplace, 'scheduler.tgz')], home)
  cpSync(join(app, 'src'), join(home, 'src'), { recursive: true })
  const options = [
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--outDir',
    'dist',
    '--rootDir',
    'src',
  ]
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules', '@types')]
  run(tool('tsc'), [...options, ...types, join('src', 'demo.ts')], home)
}, 300_000)

afterAll(() => rmSync(workplace, { recursive: true, force: true }))

test('nothing else is installed', () => {
  expect(readdirSync(join(home, 'node_modules')).filter(name => !name.startsWith('.'))).toEqual([
    '@agent-spine',
  ])
  expect(readdirSync(join(home, 'node_modules', '@agent-spine'))).toEqual(['scheduler'])
})

test('the demo reads together, writes alone, and has one result for every call, in order', () => {
  expect(run(process.execPath, ['dist/demo.js'], home)).toBe(`user: Change the first note.
assistant: (calls tools)
  call_0: apples
  call_1: bread
  call_2: wrote a.txt
  call_3: avocados
  call_4: Error: no tool is called delete; there are read, write, wait
assistant: The first note now says avocados.
`)
})

test('Ctrl-C ends it with a result for every call and no write', async () => {
  const child = spawn(process.execPath, ['dist/demo.js', 'wait'], {
    cwd: home,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (output === '') child.kill('SIGINT')
    output += text
  })
  const [code] = (await once(child, 'close')) as [number]
  expect(output).toBe(`waiting, press Ctrl-C
user: Change the first note.
assistant: (calls tools)
  call_0: apples
  call_1: Error: The operation was aborted
  call_2: Cancelled before it ran.
`)
  expect(code).toBe(0)
})
