import { type CommandEnvironment } from './command-environment.js'
import { withoutControls } from './output/call-text.js'
import { jsonLine } from './output/output.js'
import { type RunSummary } from './output/run-event.js'

/** Says how a run ended: the answer on stdout, where to go from here on stderr; with `json`, one line for all of it. */
export function concludeRun(
  { stdout, stderr }: Pick<CommandEnvironment, 'stdout' | 'stderr'>,
  summary: RunSummary,
  json: boolean,
): void {
  if (json) {
    stdout.write(jsonLine(summary))
    return
  }
  const { ok, reason, session = '', workspace = '', text = '' } = summary
  if (ok) {
    // A file or a pipe gets the text as it is.
    if (text !== '') stdout.write(`${stdout.isTerminal ? withoutControls(text) : text}\n`)
    stderr.write(`\ndone in ${workspace}; see what happened: agent-spine view ${session} --open\n`)
  } else {
    stderr.write(`\nthe turn ended: ${reason ?? 'error'}; go on with: agent-spine resume ${session}\n`)
    stderr.write(`see why: agent-spine view ${session} --open\n`)
  }
}
