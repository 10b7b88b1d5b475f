import { type Output } from './output.js'
import { type Paint } from './paint.js'
import { type Reporter } from './reporter.js'
import { createTalkLines } from './talk-lines.js'

/** Plain lines on stderr, for a stderr that is no terminal. */
export function plainReporter(stderr: Output, paint: Paint): Reporter {
  const lines = createTalkLines(paint)
  return {
    show: event => stderr.write(lines(event)),
    pause: () => () => undefined,
    end: () => undefined,
  }
}
