import { jsonLine, type Output } from './output.js'
import { type Reporter } from './reporter.js'

/** NDJSON on stdout: every event of the run as it happens. */
export function jsonReporter(stdout: Output): Reporter {
  return {
    show: event => stdout.write(jsonLine(event)),
    pause: () => () => undefined,
    end: () => undefined,
  }
}
