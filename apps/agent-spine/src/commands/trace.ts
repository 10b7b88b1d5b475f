import { resolve } from 'node:path'
import { chromeTrace, type ChromeTrace } from '@agent-spine/inspector'
import { command } from '../command.js'
import { type ExitCode } from '../command-error.js'
import { jsonLine } from '../output/output.js'
import { readLog } from '../read-log.js'
import { readSessionArgument, sessionToRead } from '../session-argument.js'
import { printPieces, writeOutputFile } from '../write-output-file.js'

export const traceCommand = command({
  name: 'trace',
  description: 'Write a session as a trace, to be opened in ui.perfetto.dev or chrome://tracing',
  args: {
    id: readSessionArgument,
    out: {
      type: 'string',
      valueHint: 'FILE',
      description: 'Where to write it; "-" prints it. Default: ID.trace.json in the current directory',
    },
    json: { type: 'boolean', default: false, description: 'Say where it was written as one object' },
  },
  examples: [
    'agent-spine trace 20261130-154512-3f9a',
    'agent-spine trace ./20261130-154512-3f9a.jsonl --out - | jq ".traceEvents | length"',
  ],
  async run({ id, out, json }, environment): Promise<ExitCode> {
    const { stdout, stderr } = environment
    const target = await sessionToRead(id, environment)
    const trace = chromeTrace(target.id, await readLog(target))
    if (out === '-') {
      await printPieces(stdout, traceText(trace))
      return 0
    }
    const file = resolve(environment.cwd, out ?? `${target.id}.trace.json`)
    const bytes = await writeOutputFile(file, traceText(trace))
    const slices = trace.traceEvents.filter(({ ph }) => ph === 'X').length
    stdout.write(
      json ? jsonLine({ session: target.id, file: target.file, out: file, slices, bytes }) : `${file}\n`,
    )
    if (!json) stderr.write('open it in https://ui.perfetto.dev; the file stays on this machine\n')
    return 0
  },
})

/** One event a line, so that no string holds them all. */
function* traceText({ traceEvents, ...rest }: ChromeTrace): Generator<string> {
  yield `${JSON.stringify(rest).slice(0, -1)},"traceEvents":[`
  for (const [index, event] of traceEvents.entries())
    yield `${index === 0 ? '' : ','}\n${JSON.stringify(event)}`
  yield '\n]}\n'
}
