import { mkdir, open, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { assertSessionId } from '@agent-spine/session'
import { jsonlStore, type JsonlStore } from '@agent-spine/session/jsonl'
import { type CommandEnvironment } from './command-environment.js'
import { CommandError } from './command-error.js'

/** Sessions in one directory. */
export interface SessionPlace {
  readonly directory: string
  readonly store: JsonlStore
}

/** A session, by the place that holds it. */
export interface SessionTarget extends SessionPlace {
  readonly id: string
  readonly file: string
}

/** Where this command keeps its sessions: `$AGENT_SPINE_HOME`, or `.agent-spine` in the current directory. */
export function sessionPlace({ cwd, variables }: CommandEnvironment): SessionPlace {
  return placeAt(join(homeDirectory(cwd, variables), 'sessions'))
}

/** Like {@link sessionPlace}, and makes it: for its owner only, and ignored by git. @throws CommandError `HOME_NOT_USABLE` */
export async function makeSessionPlace(environment: CommandEnvironment): Promise<SessionPlace> {
  const home = homeDirectory(environment.cwd, environment.variables)
  const place = sessionPlace(environment)
  try {
    await mkdir(home, { recursive: true, mode: 0o700 })
    await mkdir(place.directory, { recursive: true, mode: 0o700 })
    await writeFile(join(home, '.gitignore'), '*\n', { flag: 'wx' }).catch(ignoreExisting)
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error)
    throw new CommandError(
      'HOME_NOT_USABLE',
      `expected to keep sessions in the directory ${home}, found: ${found}`,
      {
        hint: 'set AGENT_SPINE_HOME to a directory that you may write to; it is made if missing',
        cause: error,
      },
    )
  }
  return place
}

/** What a person means by `ID` or `FILE`: a file has a slash or ends in `.jsonl`. @throws CommandError `SESSION_RENAMED` */
export async function sessionTarget(target: string, environment: CommandEnvironment): Promise<SessionTarget> {
  const isFile = /[/\\]/.test(target) || target.endsWith('.jsonl')
  if (!isFile) return targetIn(sessionPlace(environment), target)
  const file = resolve(environment.cwd, target)
  const directory = resolve(file, '..')
  const id = basename(file).replace(/(?:~\d+)?\.jsonl$/, '')
  const stated = await statedId(file)
  if (stated !== undefined && stated !== id) throw renamed(file, stated)
  return { ...placeAt(directory), id, file }
}

/** The session that was made last. @throws CommandError `NO_SESSIONS` */
export async function latestTarget(environment: CommandEnvironment): Promise<SessionTarget> {
  const place = sessionPlace(environment)
  let latest: { readonly id: string; readonly createdAt: number } | undefined
  for await (const listed of place.store.list()) {
    if (latest === undefined || listed.createdAt >= latest.createdAt) latest = listed
  }
  if (latest !== undefined) return targetIn(place, latest.id)
  throw new CommandError('NO_SESSIONS', `expected a session in ${place.directory}, found none`, {
    hint: 'make one: agent-spine demo; or set AGENT_SPINE_HOME to where they are',
    exitCode: 2,
  })
}

/** The id in the first line of a log; nothing where it cannot be read, which the store says better. */
async function statedId(file: string): Promise<string | undefined> {
  const handle = await open(file).catch(() => undefined)
  if (handle === undefined) return undefined
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(1024), 0, 1024, 0)
    const [firstLine = ''] = buffer.toString('utf8', 0, bytesRead).split('\n')
    const header: unknown = JSON.parse(firstLine)
    const isHeader = typeof header === 'object' && header !== null && 'format' in header && 'id' in header
    return isHeader && typeof header.id === 'string' ? header.id : undefined
  } catch {
    return undefined
  } finally {
    await handle.close()
  }
}

function renamed(file: string, id: string): CommandError {
  const name = `${id}.jsonl`
  return new CommandError(
    'SESSION_RENAMED',
    `expected the file of session ${id} to be called ${name}, found ${basename(file)}; it was not looked at further`,
    {
      hint: `give it its name: ${join(resolve(file, '..'), name)}`,
      exitCode: 2,
    },
  )
}

/** The session `id` in a place. */
export function targetIn(place: SessionPlace, id: string): SessionTarget {
  assertSessionId(id)
  return { ...place, id, file: join(place.directory, `${id}.jsonl`) }
}

/** An id that sorts by time and is short enough to type. */
export function newSessionId(now: Date): string {
  const digits = now.toISOString().replace(/\D/g, '')
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}-${crypto.randomUUID().slice(0, 4)}`
}

function homeDirectory(cwd: string, variables: NodeJS.ProcessEnv): string {
  return resolve(cwd, variables['AGENT_SPINE_HOME'] || '.agent-spine')
}

function placeAt(directory: string): SessionPlace {
  return { directory, store: jsonlStore(directory) }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
