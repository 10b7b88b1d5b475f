import { interruptedTurnClosers, repairLog } from '@agent-spine/repair'
import { openSession, type SessionEvent } from '@agent-spine/session'
import { command } from '../command.js'
import { type CommandEnvironment } from '../command-environment.js'
import { usageError, type ExitCode } from '../command-error.js'
import { createLogLines } from '../output/log-lines.js'
import { jsonLine } from '../output/output.js'
import { readLog } from '../read-log.js'
import { salvageSession, type Salvage } from '../salvage-session.js'
import { sessionArgument } from '../session-argument.js'
import { sessionTarget, type SessionTarget } from '../session-home.js'

export const repairCommand = command({
  name: 'repair',
  description:
    'Show the events that would close what a crash left open, or add them; save what is good of a damaged session',
  args: {
    id: sessionArgument,
    write: { type: 'boolean', default: false, description: 'Add them to the log' },
    salvage: {
      type: 'boolean',
      default: false,
      description:
        'Of a damaged session: copy what is good to a new one and close that; the damaged file is not changed',
    },
    json: {
      type: 'boolean',
      default: false,
      description: 'Print the events, one a line; with --salvage, one object',
    },
  },
  examples: [
    'agent-spine repair 20261130-154512-3f9a',
    'agent-spine repair ./20261130-154512-3f9a.jsonl --write',
    'agent-spine repair 20261130-154512-3f9a --salvage',
  ],
  async run({ id, write, salvage, json }, environment): Promise<ExitCode> {
    const { stdout, stderr } = environment
    if (salvage && write) {
      throw usageError(
        'expected --write or --salvage, found both',
        '--write adds to the session itself, --salvage makes a new one; drop one',
      )
    }
    const target = await sessionTarget(id, environment)
    if (salvage) {
      showSalvage(environment, await salvageSession(target), json)
      return 0
    }
    const events = write ? await addClosers(target) : await missingClosers(target)
    const lines = createLogLines()
    for (const event of events) stdout.write(json ? jsonLine(event) : lines.line(event))
    stdout.write(lines.end())
    stderr.write(`${sentence(events.length, write, target.id)}\n`)
    return 0
  },
})

async function missingClosers(target: SessionTarget): Promise<readonly SessionEvent[]> {
  const events = await readLog(target)
  return repairLog(events).slice(events.length)
}

/** Under the writer lease: an agent that runs is not repaired behind its back. */
async function addClosers({ store, id }: SessionTarget): Promise<readonly SessionEvent[]> {
  const session = await openSession(store, id)
  try {
    return session.appendAll(interruptedTurnClosers(session.events))
  } finally {
    await session.close()
  }
}

/** The new session's id is what a script wants; what was lost is what a person must know. */
function showSalvage({ stdout, stderr }: CommandEnvironment, salvage: Salvage, json: boolean): void {
  const { damage, salvaged, target, closers } = salvage
  if (json) {
    const { id: session, ...saved } = salvaged
    const added = closers.map(({ type }) => type)
    stdout.write(jsonLine({ session, file: target.file, ...saved, repairAdded: added, damage }))
    return
  }
  stderr.write(`${damage.message}\n`)
  stderr.write(`saved ${salvaged.events} events, added ${closers.length} that close what was left open\n`)
  if (salvaged.lost !== undefined) {
    const { lines, bytes, lastSeq } = salvaged.lost
    const last = lastSeq === undefined ? '' : `: seq ${salvaged.events} to ${lastSeq}`
    stderr.write(`lost ${lines} lines, ${bytes} bytes${last}; they are still in ${damage.file}\n`)
  }
  stdout.write(`${salvaged.id}\n`)
  stderr.write(`go on with: agent-spine resume ${salvaged.id}\n`)
}

function sentence(count: number, written: boolean, id: string): string {
  if (count === 0) return `session ${id} has nothing open`
  return written
    ? `added ${count} events to session ${id}`
    : `would add ${count} events; add them with --write`
}
