import { command } from '../command.js'
import { type ExitCode } from '../command-error.js'
import { describeError, errorText } from '../describe-error.js'
import { resultSummary } from '../output/call-text.js'
import { jsonLine } from '../output/output.js'
import { readLog } from '../read-log.js'
import { sessionPlace, targetIn, type SessionTarget } from '../session-home.js'
import { summariseSession, type SessionSummary } from '../session-summary.js'

export const sessionsCommand = command({
  name: 'sessions',
  description: 'List the sessions in AGENT_SPINE_HOME, or in .agent-spine of the current directory',
  args: { json: { type: 'boolean', default: false, description: 'Print one object a line' } },
  examples: [
    'agent-spine sessions',
    'agent-spine sessions --json | jq -r "select(.state != \\"completed\\").id"',
  ],
  async run({ json }, environment): Promise<ExitCode> {
    const { stdout, stderr } = environment
    let count = 0
    try {
      for await (const { id, createdAt } of sessionPlace(environment).store.list()) {
        if (stdout.closed.aborted) return 0
        const entry = await readEntry(targetIn(sessionPlace(environment), id), createdAt)
        stdout.write(json ? jsonLine(entry) : entryText(entry))
        count += 1
      }
    } catch (error) {
      // The store lists what it can before it tells of what it cannot read.
      stderr.write(errorText(describeError(error), environment.paint.talk))
      return 1
    }
    if (count === 0)
      stderr.write(`no sessions in ${sessionPlace(environment).directory}; make one: agent-spine run\n`)
    return 0
  },
})

interface Entry extends SessionSummary {
  readonly id: string
  readonly createdAt: string
  readonly file: string
}

async function readEntry(target: SessionTarget, createdAt: number): Promise<Entry> {
  const place = { id: target.id, createdAt: new Date(createdAt).toISOString(), file: target.file }
  try {
    return { ...place, ...summariseSession(await readLog(target)) }
  } catch (error) {
    return { ...place, state: describeError(error).code, turns: 0, calls: 0, prompt: '' }
  }
}

function entryText({ id, createdAt, state, turns, calls, prompt }: Entry): string {
  return `${id}  ${createdAt}  ${state.padEnd(11)}  ${counted(turns, 'turn')}, ${counted(calls, 'call')}  ${resultSummary(prompt)}\n`
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
