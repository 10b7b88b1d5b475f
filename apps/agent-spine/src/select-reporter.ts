import { type CommandEnvironment } from './command-environment.js'
import { jsonReporter } from './output/json-reporter.js'
import { liveReporter } from './output/live-reporter.js'
import { plainReporter } from './output/plain-reporter.js'
import { type Reporter } from './output/reporter.js'

/** NDJSON where it was asked for, live lines on a terminal, plain lines elsewhere. */
export function selectReporter({ stdout, stderr, paint }: CommandEnvironment, json: boolean): Reporter {
  if (json) return jsonReporter(stdout)
  return stderr.isTerminal ? liveReporter(stderr, paint.talk) : plainReporter(stderr, paint.talk)
}
