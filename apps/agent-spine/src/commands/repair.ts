import { interruptedTurnClosers, repairLog } from '@agent-spine/repair'
import { openSession, type SessionEvent } from '@agent-spine/session'
import { command } from '../command.js'
import { type ExitCode } from '../command-error.js'
import { createLogLines } from '../output/log-lines.js'
import { jsonLine } from '../output/output.js'
import { readLog } from '../read-log.js'
import { sessionArgument } from '../session-argument.js'
import { sessionTarget, type SessionTarget } from '../session-home.js'

export const repairCommand = command({
  name: 'repair',
  description: 'Show the events that would close what a crash left open, or add them',
  args: {
    id: sessionArgument,
    write: { type: 'boolean', default: false, description: 'Add them to the log' },
    json: { type: 'boolean', default: false, description: 'Print the events, one a line' },
  },
  examples: ['agent-spine repair 20261130-154512-3f9a', 'agent-spine repair ./session.jsonl --write'],
  async run({ id, write, json }, environment): Promise<ExitCode> {
    const { stdout, stderr } = environment
    const target = sessionTarget(id, environment)
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

function sentence(count: number, written: boolean, id: string): string {
  if (count === 0) return `session ${id} has nothing open`
  return written
    ? `added ${count} events to session ${id}`
    : `would add ${count} events; add them with --write`
}
