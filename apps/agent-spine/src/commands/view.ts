import { resolve } from 'node:path'
import { pageAssets, pageDocument } from '@agent-spine/inspector'
import { command } from '../command.js'
import { type CommandEnvironment } from '../command-environment.js'
import { usageError, type ExitCode } from '../command-error.js'
import { damageReport } from '../damage-report.js'
import { openInBrowser } from '../open-in-browser.js'
import { jsonLine } from '../output/output.js'
import { readUpToDamage } from '../read-log.js'
import { serveView } from '../serve-view.js'
import { readSessionArgument, sessionToRead } from '../session-argument.js'
import { type SessionTarget } from '../session-home.js'
import { printPieces, writeOutputFile } from '../write-output-file.js'

export const viewCommand = command({
  name: 'view',
  description: 'Write a session as one HTML page: when each call ran, the log, the conversation, the checks',
  args: {
    id: readSessionArgument,
    out: {
      type: 'string',
      valueHint: 'FILE',
      description: 'Where to write it; "-" prints it. Default: ID.html in the current directory',
    },
    open: { type: 'boolean', default: false, description: 'Open it in the browser' },
    live: {
      type: 'boolean',
      default: false,
      description:
        'Follow a session that runs: serve the page on this machine until Ctrl-C, and write no file',
    },
    port: {
      type: 'string',
      valueHint: 'N',
      description: 'With --live: the port to serve on. Default: a free one',
    },
    json: { type: 'boolean', default: false, description: 'Say where it is as one object' },
  },
  examples: [
    'agent-spine view --open',
    'agent-spine view 20261130-154512-3f9a',
    'agent-spine view ./20261130-154512-3f9a.jsonl --out session.html',
    'agent-spine view 20261130-154512-3f9a --live --port 4321',
  ],
  async run({ id, out, open, live, port, json }, environment): Promise<ExitCode> {
    if (live && out !== undefined) {
      throw usageError(
        'expected --out or --live, found both',
        'a live page is served and not written; drop one',
      )
    }
    if (out === '-' && json) {
      throw usageError(
        'expected --json or --out -, found both',
        '--out - prints the page, and --json where it was written; drop one',
      )
    }
    if (!live && port !== undefined) {
      throw usageError('expected --port together with --live, found it alone', 'add --live, or drop --port')
    }
    const target = await sessionToRead(id, environment)
    if (live) return serveView(target, environment, { open, json, port: portNumber(port) })
    return writeView(target, environment, { out, open, json })
  },
})

async function writeView(
  target: SessionTarget,
  environment: CommandEnvironment,
  { out, open, json }: { readonly out: string | undefined; readonly open: boolean; readonly json: boolean },
): Promise<ExitCode> {
  const { stdout, variables, cwd } = environment
  const { events, damage } = await readUpToDamage(target)
  const pieces = pageDocument(
    {
      session: target.id,
      file: target.file,
      madeAt: Date.now(),
      ...(damage !== undefined && { damage: damageReport(damage).message }),
    },
    events,
    pageAssets,
  )
  if (out === '-') {
    if (open)
      throw usageError('expected --open or --out -, found both', 'what is printed cannot be opened; drop one')
    await printPieces(stdout, pieces)
    if (damage !== undefined) throw damage
    return 0
  }
  const file = resolve(cwd, out ?? `${target.id}.html`)
  const bytes = await writeOutputFile(file, pieces)
  stdout.write(
    json
      ? jsonLine({ session: target.id, file: target.file, out: file, events: events.length, bytes })
      : `${file}\n`,
  )
  if (open) await openInBrowser(file, variables)
  // The page holds what can be read, and says so; that is not the whole session.
  if (damage !== undefined) throw damage
  return 0
}

function portNumber(port: string | undefined): number {
  const number = Number(port ?? 0)
  if (Number.isSafeInteger(number) && number >= 0 && number <= 65_535 && port !== '') return number
  throw usageError(
    `expected --port to be a whole number from 0 to 65535, found ${JSON.stringify(port)}`,
    'for example --port 4321; without it a free port is taken',
  )
}
