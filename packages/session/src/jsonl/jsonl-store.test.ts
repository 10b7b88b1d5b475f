import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createSession, openSession } from '../index.js'
import { describeSessionStore } from '../testing.js'
import { all, mutateFile, temporaryDirectory } from './jsonl.fixture.js'
import { events, header } from './sample-events.fixture.js'
import { jsonlStore } from '../jsonl.js'

describeSessionStore(
  'jsonlStore',
  () => {
    const directory = temporaryDirectory()
    return { store: jsonlStore(directory), reopened: () => jsonlStore(directory) }
  },
  { describe, it },
)

describeSessionStore(
  "jsonlStore with durability 'os', in a directory whose path is longer than a socket address",
  () => {
    const directory = join(temporaryDirectory(), 'd'.repeat(100), 'e'.repeat(100))
    return { store: jsonlStore(directory, { durability: 'os' }), reopened: () => jsonlStore(directory) }
  },
  { describe, it },
)

async function filled(directory: string, count = 3) {
  const store = jsonlStore(directory)
  const log = await store.create(header)
  log.append(events(0, count))
  await log.close()
  return store
}

it('does not wait for a pipe that has the name of a session: it says so, and lists the others', async () => {
  const directory = temporaryDirectory()
  const store = await filled(directory)
  execFileSync('mkfifo', [join(directory, 'pipe.jsonl')])
  const listed: string[] = []
  await expect(async () => {
    for await (const { id } of store.list()) listed.push(id)
  }).rejects.toThrow(/expected a regular file at .*pipe\.jsonl/)
  expect(listed).toEqual([header.id])
  await expect(store.open('pipe')).rejects.toThrow(/expected a regular file/)
})

it('gives up at once on a directory whose parent takes none', async () => {
  await expect(jsonlStore('/proc/nope/sessions').create(header)).rejects.toMatchObject({
    code: 'SESSION_STORE_FAILED',
  })
})

it('keeps a session as the README shows', async () => {
  const store = jsonlStore(temporaryDirectory())
  const session = await createSession({ store, id: 'demo' })
  session.append('turn/start', { turn: 0 })
  await session.flush()
  await session.close()
  const again = await openSession(store, 'demo')
  expect(again.events.map(event => event.type)).toEqual(['turn/start', 'session/owner'])
  await again.close()
})

describe('files', () => {
  it('are private to the user, and nothing temporary stays', async () => {
    const directory = join(temporaryDirectory(), 'made', 'here')
    const log = await jsonlStore(directory).create(header)
    await log.flush()
    expect(statSync(directory).mode & 0o777).toBe(0o700)
    for (const name of readdirSync(directory)) {
      expect([name, statSync(join(directory, name)).mode & 0o777]).toEqual([name, 0o600])
    }
    await log.close()
    expect(readdirSync(directory).sort()).toEqual(['s.jsonl', 's.lock-1'])
  })

  it('are lines that any JSON tool reads, with a mark of the clean close at the end', async () => {
    const directory = temporaryDirectory()
    await filled(directory)
    const lines = readFileSync(join(directory, 's.jsonl'), 'utf8').trimEnd().split('\n')
    expect(lines.map(line => Object.keys(JSON.parse(line) as object))).toEqual([
      ['format', 'version', 'id', 'createdAt', 'crc'],
      ['batch', 'synced', 'crc'],
      ['mark', 'synced', 'crc'],
    ])
  })

  it('do not grow by being opened and closed', async () => {
    const directory = temporaryDirectory()
    const store = await filled(directory)
    const before = readFileSync(join(directory, 's.jsonl'))
    await (await store.open('s')).log.close()
    expect(readFileSync(join(directory, 's.jsonl')).equals(before)).toBe(true)
  })

  it('end with a mark whenever a writer that appended has closed them', async () => {
    const directory = temporaryDirectory()
    const store = await filled(directory)
    const { log } = await store.open('s')
    log.append(events(3, 1))
    await log.close()
    const lines = readFileSync(join(directory, 's.jsonl'), 'utf8').trimEnd().split('\n')
    expect(lines.map(line => Object.keys(JSON.parse(line) as object)[0])).toEqual([
      'format',
      'batch',
      'mark',
      'seq',
      'mark',
    ])
    expect(lines.at(-1)).toContain('"synced":3')
  })

  it('leave one lock behind, whose number never goes back', async () => {
    const directory = temporaryDirectory()
    const store = await filled(directory)
    for (let round = 0; round < 3; round++) {
      const { log, events: known } = await store.open('s')
      log.append(events(known.length, 1))
      await log.close()
      expect(readdirSync(directory).filter(name => name.includes('lock'))).toEqual([`s.lock-${round + 2}`])
    }
  })
})

describe('list', () => {
  it('shows every session it can before it tells of one it cannot read', async () => {
    const directory = temporaryDirectory()
    const store = jsonlStore(directory)
    for (const id of ['a', 'b', 'c']) await (await store.create({ id, createdAt: 1 })).close()
    mutateFile(join(directory, 'a.jsonl'), bytes => bytes.fill(0, 0, 10))
    const seen: string[] = []
    const listing = (async () => {
      for await (const { id } of store.list()) seen.push(id)
    })()
    await expect(listing).rejects.toMatchObject({ code: 'SESSION_CORRUPT', line: 1 })
    expect(seen).toEqual(['b', 'c'])
  })

  it('passes over files that are no logs', async () => {
    const directory = temporaryDirectory()
    const store = await filled(directory)
    for (const name of ['notes.txt', '.hidden.jsonl', 's.torn-1', 's~x.jsonl']) {
      writeFileSync(join(directory, name), 'not ours')
    }
    expect(await all(store.list())).toEqual([header])
  })

  it('is empty where no directory is', async () => {
    expect(await all(jsonlStore(join(temporaryDirectory(), 'nothing')).list())).toEqual([])
  })
})

describe('a file of another kind', () => {
  it.each([
    ['of another session', () => undefined, 'the header of session \\"s\\"'],
    ['that is empty', () => Buffer.alloc(0), 'an empty file'],
  ])('%s is corrupt', async (_, change, found) => {
    const directory = temporaryDirectory()
    const store = await filled(directory)
    const bytes = change() ?? readFileSync(join(directory, 's.jsonl'))
    writeFileSync(join(directory, 'other.jsonl'), bytes)
    const opening = store.open('other')
    await expect(opening).rejects.toMatchObject({
      code: 'SESSION_CORRUPT',
      line: 1,
      offset: 0,
      goodEvents: 0,
    })
    await expect(opening).rejects.toThrow(JSON.parse(`"${found}"`) as string)
  })

  it('of a newer format asks for an upgrade', async () => {
    const directory = temporaryDirectory()
    const store = await filled(directory)
    const body = '{"format":"agent-spine/session","version":2,"id":"new"'
    writeFileSync(
      join(directory, 'new.jsonl'),
      `${body},"crc":"${crc32(body).toString(16).padStart(8, '0')}"}\n`,
    )
    await expect(store.open('new')).rejects.toMatchObject({ code: 'UNSUPPORTED_FORMAT' })
    await expect(all(store.read('new'))).rejects.toMatchObject({ code: 'UNSUPPORTED_FORMAT' })
  })
})

it('an error of the file system says what failed and keeps its cause', async () => {
  const directory = temporaryDirectory()
  writeFileSync(join(directory, 'file'), '')
  const creating = jsonlStore(join(directory, 'file', 'below')).create(header)
  await expect(creating).rejects.toMatchObject({
    code: 'SESSION_STORE_FAILED',
    cause: expect.objectContaining({ code: 'ENOTDIR' }) as unknown,
  })
})
