import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { bundleCli } from './bundle-cli.js'
import { jsonLines, runCli, type CliOptions } from './cli-process.js'

// Real processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 })

let cli: string
/** A session that ended well, as it is on the disk. */
let sound: { readonly id: string; readonly text: string; readonly directory: string }
let options: CliOptions
let file: string

beforeAll(async () => {
  cli = await bundleCli('damaged')
  const home = await mkdtemp(join(tmpdir(), 'sound-'))
  const directory = await mkdtemp(join(tmpdir(), 'plain-'))
  const { stdout } = await runCli(['run', '--json', 'list the files', '--workspace', directory], {
    cli,
    home,
  })
  const [session] = jsonLines(stdout)
  if (session?.type !== 'session') throw new Error(stdout)
  sound = { id: session.id, text: await readFile(session.file, 'utf8'), directory }
})

beforeEach(async () => {
  const home = await mkdtemp(join(tmpdir(), 'damaged-'))
  options = { cli, home: join(home, 'home'), cwd: home }
  // Any command that runs an agent makes the place.
  await runCli(['run', 'list the files', '--workspace', sound.directory], options)
  file = join(options.home, 'sessions', `${sound.id}.jsonl`)
})

/** A byte of the line that holds the first `tool/dispatch`, which is in the middle of the log. */
const flipped = (text: string) => text.replace('"tool/dispatch"', '"tool/Dispatch"')
const damages: readonly (readonly [string, (text: string) => string])[] = [
  ['a flipped byte in the middle', flipped],
  ['a line that is missing', text => text.split('\n').toSpliced(2, 1).join('\n')],
  ['no header', text => text.slice(text.indexOf('\n') + 1)],
]

/** Where the first changed line is, and how many events are before it. */
function placeOf(damaged: string) {
  const lines = damaged.split('\n')
  const index = lines.findIndex((line, at) => line !== sound.text.split('\n')[at])
  const before = lines.slice(0, index).map(line => `${line}\n`)
  return { line: index + 1, byte: Buffer.byteLength(before.join('')) }
}

async function sessionFiles(): Promise<readonly string[]> {
  const names = await readdir(join(options.home, 'sessions'))
  return names.filter(name => name.startsWith(sound.id) && name.endsWith('.jsonl')).sort()
}

describe.each(damages)('of a log with %s', (_what, damage) => {
  it('every command says where, what to do, and fails; none changes it', async () => {
    const damaged = damage(sound.text)
    await writeFile(file, damaged)
    const { line, byte } = placeOf(damaged)
    for (const args of [
      ['verify', sound.id],
      ['log', sound.id],
      ['view', sound.id],
      ['trace', sound.id],
      ['resume', sound.id, 'go'],
      ['repair', file, '--write'],
    ]) {
      const { code, stderr } = await runCli(args, options)
      expect(code, args.join(' ')).toBe(1)
      expect(stderr).toContain('error SESSION_CORRUPT: ')
      expect(stderr).toContain(`expected a record at line ${line}, byte ${byte} of ${file}, found `)
      expect(stderr).toContain(`hint: "log", "view" and "verify" show what can be read`)
      expect(stderr).toContain('--salvage')
      expect(stderr).not.toContain('salvage(')
      expect(stderr).not.toMatch(/^\s+at /m)
    }
    expect(await readFile(file, 'utf8')).toBe(damaged)
    expect(await sessionFiles()).toHaveLength(1)
  })
})

describe('of a log that is damaged in the middle', () => {
  let damaged: string
  let goodEvents: number

  beforeEach(async () => {
    damaged = flipped(sound.text)
    await writeFile(file, damaged)
    goodEvents = jsonLines((await runCli(['log', sound.id, '--json'], options)).stdout).length
    expect(goodEvents).toBeGreaterThan(3)
  })

  it('log prints what is before the damage, and nothing behind it', async () => {
    const { stdout } = await runCli(['log', sound.id], options)
    expect(stdout).toContain('turn/start')
    expect(stdout).not.toContain('turn/end')
  })

  it('verify tells a script where it is, and what the rest is fit for', async () => {
    const { stdout } = await runCli(['verify', sound.id, '--json'], options)
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ session: sound.id, ok: false, verdict: 'damaged' },
      damage: { code: 'SESSION_CORRUPT', file, ...placeOf(damaged), goodEvents },
      readable: { verdict: 'needs-repair', events: goodEvents },
    })
    const { line, byte } = placeOf(damaged)
    expect((await runCli(['verify', sound.id], options)).stdout).toContain(
      `damaged  session ${sound.id}, at line ${line}, byte ${byte}\n  the ${goodEvents} events before it: needs-repair\n`,
    )
  })

  it('view writes a page of what is before it, and the page says so', async () => {
    const { code, stdout } = await runCli(['view', sound.id, '--json'], options)
    expect(code).toBe(1)
    const { out, events } = JSON.parse(stdout) as { out: string; events: number }
    expect(events).toBe(goodEvents)
    const page = await readFile(out, 'utf8')
    expect(page).toContain(`"damage":"session \\"${sound.id}\\" is damaged: expected a record at line`)
    expect(page).toContain('"type":"turn/start"')
    expect(page).not.toContain('"type":"turn/end"')
  })

  it('repair --salvage copies that to a new session, closes it, and leaves the damaged file alone', async () => {
    const { code, stdout, stderr } = await runCli(['repair', sound.id, '--salvage', '--json'], options)
    expect(code, stderr).toBe(0)
    const salvage = JSON.parse(stdout) as { session: string; events: number }
    expect(salvage).toMatchObject({
      events: goodEvents,
      lost: { ...{ line: placeOf(damaged).line, offset: placeOf(damaged).byte } },
      repairAdded: ['tool/result', 'step/end', 'turn/end'],
      damage: { code: 'SESSION_CORRUPT', goodEvents },
    })
    expect(await readFile(file, 'utf8')).toBe(damaged)
    expect(await sessionFiles()).toEqual([`${salvage.session}.jsonl`, `${sound.id}.jsonl`].sort())
    const verified = await runCli(['verify', salvage.session, '--json'], options)
    expect(JSON.parse(verified.stdout)).toMatchObject({ verdict: 'sound' })
    // The dispatch of the call is among what was lost: nobody may say that it never ran.
    expect((await runCli(['log', salvage.session, '--json'], options)).stdout).toContain(
      '"TOOL_OUTCOME_UNKNOWN"',
    )
    // That events are missing is in the new log, too.
    expect((await runCli(['log', salvage.session, '--json'], options)).stdout).toContain('"lostTail":true')
    expect((await runCli(['resume', salvage.session, 'list the files'], options)).code).toBe(0)
  })

  it('repair --salvage of its file says what was saved and what was lost, and prints the new id', async () => {
    const { code, stdout, stderr } = await runCli(['repair', file, '--salvage'], options)
    expect(code, stderr).toBe(0)
    expect(stdout).toBe(`${sound.id}.salvaged-1\n`)
    expect(stderr).toContain(`saved ${goodEvents} events, added 3 that close what was left open\n`)
    expect(stderr).toMatch(
      new RegExp(`lost \\d+ lines, \\d+ bytes: seq ${goodEvents} to \\d+; they are still in `),
    )
    expect(stderr).toContain(`go on with: agent-spine resume ${sound.id}.salvaged-1\n`)
  })
})

it('repair --salvage refuses a session that is not damaged, and makes none', async () => {
  await writeFile(file, sound.text)
  const { code, stderr } = await runCli(['repair', sound.id, '--salvage'], options)
  expect(code).toBe(1)
  expect(stderr).toContain('error NOT_DAMAGED: ')
  expect(await sessionFiles()).toEqual([`${sound.id}.jsonl`])
})

it('repair --salvage says so where there is nothing to save', async () => {
  await writeFile(file, 'not a session\n')
  const { code, stdout, stderr } = await runCli(['repair', sound.id, '--salvage'], options)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('error NOTHING_TO_SALVAGE: ')
  expect(await readFile(file, 'utf8')).toBe('not a session\n')
})
