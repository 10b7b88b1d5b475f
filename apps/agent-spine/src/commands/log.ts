import { command } from '../command.js'
import { createLogLines } from '../output/log-lines.js'
import { jsonLine } from '../output/output.js'
import { readSessionArgument, sessionToRead } from '../session-argument.js'

export const logCommand = command({
  name: 'log',
  description: 'Print what a session holds; also while it runs',
  args: {
    id: readSessionArgument,
    json: { type: 'boolean', default: false, description: 'Print the events as they are, one a line' },
  },
  examples: [
    'agent-spine log 20261130-154512-3f9a',
    'agent-spine log ./20261130-154512-3f9a.jsonl --json | jq -c \'select(.type == "tool/result")\'',
  ],
  async run({ id, json }, environment) {
    const { stdout } = environment
    const target = await sessionToRead(id, environment)
    const lines = createLogLines()
    for await (const event of target.store.read(target.id)) {
      if (stdout.closed.aborted) return 0
      stdout.write(json ? jsonLine(event) : lines.line(event))
      await stdout.ready()
    }
    stdout.write(lines.end())
    return 0
  },
})
