import { chmod, mkdir, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createSession, openSession } from '@agent-spine/session'
import { jsonlStore } from '@agent-spine/session/jsonl'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { bundleCli } from './bundle-cli.js'
import { runCli, startCli, type CliOptions } from './cli-process.js'

// Real processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 })

let cli: string
let options: CliOptions & { readonly cwd: string }
const id = 'seen'

beforeAll(async () => {
  cli = await bundleCli('view')
})

beforeEach(async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'view-'))
  options = { cli, home: join(cwd, 'home'), cwd }
  await mkdir(join(cwd, 'home', 'sessions'), { recursive: true })
  const session = await createSession({ id, store: store() })
  session.append('turn/start', { turn: 0 })
  session.append('turn/end', { turn: 0, reason: { kind: 'completed' } })
  await session.close()
})

function store() {
  return jsonlStore(join(options.home, 'sessions'))
}

describe('view', () => {
  it('writes a page for its owner only, beside nothing else, and prints where', async () => {
    const { code, stdout } = await runCli(['view', id], options)
    const file = join(options.cwd, `${id}.html`)
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${file}\n` })
    expect(await readFile(file, 'utf8')).toContain('"type":"turn/end"')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await readdir(options.cwd)).sort()).toEqual(['home', `${id}.html`])
  })

  it('says it as one object with --json, and replaces a page of before', async () => {
    await writeFile(join(options.cwd, 'page.html'), 'old')
    const { stdout } = await runCli(['view', id, '--out', 'page.html', '--json'], options)
    const out = join(options.cwd, 'page.html')
    const { size } = await stat(out)
    expect(JSON.parse(stdout)).toMatchObject({ session: id, out, events: 2, bytes: size })
  })

  it('prints the page with --out -', async () => {
    const { stdout } = await runCli(['view', id, '--out', '-'], options)
    expect(stdout).toMatch(/^<!doctype html>/)
    expect(stdout).toMatch(/<\/html>\n$/)
    expect(await readdir(options.cwd)).toEqual(['home'])
  })

  it('cannot write where there is no directory, says so, and leaves nothing', async () => {
    const { code, stdout, stderr } = await runCli(['view', id, '--out', 'no/such/page.html'], options)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('error OUT_NOT_WRITABLE: ')
    expect(stderr).toContain('hint: ')
    expect(await readdir(options.cwd)).toEqual(['home'])
  })

  it('leaves a directory of that name as it is', async () => {
    await mkdir(join(options.cwd, 'taken'))
    const { stderr } = await runCli(['view', id, '--out', 'taken'], options)
    expect(stderr).toContain('error OUT_NOT_WRITABLE: ')
    expect((await readdir(options.cwd)).sort()).toEqual(['home', 'taken'])
  })

  it.runIf(process.platform === 'linux')('opens what it wrote, and says so where that fails', async () => {
    const programs = join(options.cwd, 'programs')
    await mkdir(programs)
    const path = { PATH: programs + delimiter + (process.env['PATH'] ?? '') }
    const opener = async (script: string) => {
      await writeFile(join(programs, 'xdg-open'), `#!/bin/sh\n${script}\n`)
      await chmod(join(programs, 'xdg-open'), 0o755)
      return runCli(['view', id, '--open'], { ...options, variables: path })
    }
    const file = join(options.cwd, `${id}.html`)
    expect(await opener('printf %s "$1" > opened')).toMatchObject({ code: 0 })
    expect(await readFile(join(options.cwd, 'opened'), 'utf8')).toBe(file)
    const failed = await opener('exit 3')
    expect(failed).toMatchObject({ code: 1, stdout: `${file}\n` })
    expect(failed.stderr).toContain('error OPEN_FAILED: ')
    expect(failed.stderr).toContain(`hint: open it yourself: ${file}`)
  })
})

describe('trace', () => {
  it('writes JSON that is whole, and prints it with --out -', async () => {
    const written = await runCli(['trace', id, '--json'], options)
    const out = join(options.cwd, `${id}.trace.json`)
    expect(JSON.parse(written.stdout)).toMatchObject({ session: id, out, slices: 1 })
    const printed = await runCli(['trace', id, '--out', '-'], options)
    expect(printed.stdout).toBe(await readFile(out, 'utf8'))
    expect(JSON.parse(printed.stdout)).toMatchObject({ traceEvents: expect.arrayContaining([]) as unknown })
  })
})

describe('view --live', () => {
  it('follows a session that another process writes, and ends with Ctrl-C and code 0', async () => {
    const live = startCli(['view', id, '--live', '--json'], options)
    const line = firstLine(live.child)
    await live.talk('following session')
    const { url } = JSON.parse(await line) as { url: string }
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}\/$/)

    const stream = await streamOf(`${url}events?from=2`)
    const session = await openSession(store(), id)
    session.append('turn/start', { turn: 1 })
    await session.flush()
    await stream.holds('"type":"turn/start"')
    session.append('turn/end', { turn: 1, reason: { kind: 'completed' } })
    await session.close()
    await stream.holds('"type":"turn/end"')

    live.child.kill('SIGINT')
    expect(await live.end).toMatchObject({ code: 0 })
    await stream.holds('event: end')
  })

  it('says so where the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    const { code, stderr } = await runCli(['view', id, '--live', '--port', String(port)], options)
    expect(code).toBe(1)
    expect(stderr).toContain('error PORT_NOT_USABLE: ')
    expect(stderr).toContain('hint: ')
    other.close()
  })
})

/** The first line a process prints, also one that came before. */
function firstLine(child: ReturnType<typeof startCli>['child']): Promise<string> {
  return new Promise(resolve => {
    let text = ''
    child.stdout?.on('data', (piece: string) => {
      text += piece
      if (text.includes('\n')) resolve(text.split('\n')[0] ?? '')
    })
  })
}

async function streamOf(url: string) {
  const request = get(url)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  let text = ''
  let ended = false
  const watchers = new Set<() => void>()
  const changed = () => watchers.forEach(watcher => watcher())
  response.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
    changed()
  })
  response.on('close', () => {
    ended = true
    changed()
  })
  return {
    holds: (part: string) =>
      new Promise<void>((resolve, reject) => {
        const look = () => {
          if (text.includes(part)) resolve()
          else if (ended) reject(new Error(`the stream ended without ${part}: ${text}`))
          else return
          watchers.delete(look)
        }
        watchers.add(look)
        look()
      }),
  }
}
