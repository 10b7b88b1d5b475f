// `agent-spine chat` without a terminal: every line of stdin is one prompt.
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { errorReply, wireServer } from '../../../packages/ai-sdk/test/wire-server.js'
import { bundleCli } from './bundle-cli.js'
import { jsonLines, runCli, type CliEnd } from './cli-process.js'
import { compatible } from './wire-models.js'

// Real processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let cli: string

beforeAll(async () => {
  cli = await bundleCli('chat-piped')
})

type Driver = (
  stdin: NodeJS.WritableStream,
  child: { readonly stdout: NodeJS.ReadableStream; interrupt(): void },
) => void

/** A home, and a workspace with two files. */
async function newPlace() {
  const home = await mkdtemp(join(tmpdir(), 'home-'))
  const workspace = await mkdtemp(join(tmpdir(), 'workspace-'))
  await writeFile(join(workspace, 'one.txt'), 'the first\n')
  await writeFile(join(workspace, 'two.txt'), 'the second\u001b[2J\n')

  /** Starts a chat that `drive` writes to. */
  async function chat(args: readonly string[], drive: Driver): Promise<CliEnd> {
    const child = spawn(process.execPath, [cli, 'chat', '--workspace', workspace, ...args], {
      env: { ...process.env, AGENT_SPINE_HOME: home, NO_COLOR: '1' },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    const [stdout, stderr]: [string[], string[]] = [[], []]
    child.stdout.setEncoding('utf8').on('data', (text: string) => stdout.push(text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => stderr.push(text))
    drive(child.stdin, { stdout: child.stdout, interrupt: () => void child.kill('SIGINT') })
    return new Promise(resolve => {
      child.on('close', (code, signal) =>
        resolve({ code, signal, stdout: stdout.join(''), stderr: stderr.join('') }),
      )
    })
  }

  return {
    home,
    workspace,
    chat,
    piped: (lines: string, ...args: readonly string[]) => chat(args, stdin => void stdin.end(lines)),
  }
}

function idIn(stderr: string): string {
  return /--session (\S+)/.exec(stderr)?.[1] ?? ''
}

describe.concurrent('a prompt a line', () => {
  it('answers line after line on stdout, in one session that verifies and goes on', async () => {
    const { home, piped } = await newPlace()
    const { code, stdout, stderr } = await piped('read one.txt\n\n  \r\nread two.txt')
    expect(code, stderr).toBe(0)
    // A pipe gets the text as it is.
    expect(stdout).toBe('the first\n\nthe second\u001b[2J\n\n')
    expect(stderr).toMatch(/› read one\.txt\n[^]*✓ read_file one\.txt: the first\n› read two\.txt\n/)
    const id = idIn(stderr)
    expect(await runCli(['verify', id], { cli, home })).toMatchObject({ code: 0 })
    const more = await piped('list files\n', '--session', id)
    expect(more).toMatchObject({ code: 0, stdout: 'one.txt\ntwo.txt\n' })
  })

  it('answers a line before the next one comes', async () => {
    const { chat } = await newPlace()
    const { stdout } = await chat([], (stdin, child) => {
      stdin.write('read one.txt\n')
      child.stdout.once('data', () => stdin.end('read two.txt\n'))
    })
    expect(stdout).toContain('the second')
  })

  it('with --json, every line is JSON, and the last one a summary of the last turn', async () => {
    const { piped } = await newPlace()
    const { code, stdout } = await piped('read one.txt\nread two.txt\n', '--json')
    expect(code).toBe(0)
    const events = jsonLines(stdout)
    expect(events[0]).toMatchObject({ type: 'session' })
    expect(events.flatMap(event => (event.type === 'user' ? [event.text] : []))).toEqual([
      'read one.txt',
      'read two.txt',
    ])
    expect(events.at(-1)).toMatchObject({ type: 'summary', ok: true, calls: [{ name: 'read_file' }] })
  })

  it('asks nobody: what needs approval is denied', async () => {
    const { workspace, piped } = await newPlace()
    const { code, stdout } = await piped('run `touch made`\n')
    expect(code).toBe(0)
    expect(stdout).toContain('nobody can be asked')
    expect(await readdir(workspace)).toEqual(['one.txt', 'two.txt'])
  })
})

describe.concurrent('what ends it', () => {
  it('no line at all is wrong usage, and leaves no session', async () => {
    const { home, piped } = await newPlace()
    const { code, stderr } = await piped('\n  \n')
    expect(code).toBe(2)
    expect(stderr).toContain('error USAGE: expected a prompt on each line of stdin')
    expect(stderr).toContain('hint: ')
    expect(await readdir(home)).toEqual([])
  })

  it('a session that does not exist is named, in JSON too', async () => {
    const { piped } = await newPlace()
    const { code, stdout } = await piped('hello\n', '--json', '--session', '20261130-000000-aaaa')
    expect(code).toBe(2)
    expect(jsonLines(stdout).at(-1)).toMatchObject({ type: 'summary', ok: false, code: 'SESSION_NOT_FOUND' })
  })

  it('a turn that fails: nothing more is sent', async () => {
    const { piped } = await newPlace()
    const server = await wireServer([errorReply(401, compatible.error('who are you?'))])
    const model = ['--model', compatible.name, '--base-url', server.url]
    const { code, stdout } = await piped('hello\nhello again\n', '--json', ...model)
    expect(code).toBe(1)
    expect(stdout).not.toContain('hello again')
    expect(jsonLines(stdout).at(-1)).toMatchObject({ type: 'summary', ok: false, code: 'AUTH' })
    await server.close()
  })

  it('an interrupt cancels the turn, and nothing more is sent', async () => {
    const { chat } = await newPlace()
    const end = await chat(['--json', '--allow-bash'], (stdin, child) => {
      stdin.write('run `sleep 100`\nlist files\n')
      child.stdout.on('data', (text: string) => {
        if (text.includes('"call-dispatched"')) child.interrupt()
      })
    })
    expect(end.code, end.stderr).toBe(130)
    expect(end.stdout).not.toContain('list files')
    expect(jsonLines(end.stdout).at(-1)).toMatchObject({ type: 'summary', ok: false, reason: 'aborted' })
  })

  it('an interrupt while it waits for a line ends it', async () => {
    const { chat } = await newPlace()
    const end = await chat(['--json'], (stdin, child) => {
      stdin.write('list files\n')
      child.stdout.on('data', (text: string) => {
        if (text.includes('"turn-end"')) child.interrupt()
      })
    })
    expect(end).toMatchObject({ code: 130, signal: null })
  })
})
