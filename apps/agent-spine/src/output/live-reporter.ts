import { withoutControls } from './call-text.js'
import { type Output } from './output.js'
import { type Paint } from './paint.js'
import { type Reporter } from './reporter.js'
import { advance, idle, type CallStage, type ProgressCall } from './run-progress.js'
import { createTalkLines } from './talk-lines.js'

const frameMs = 100
const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const stageText: Readonly<Record<CallStage, string>> = {
  preparing: 'waits to start',
  running: '',
  waiting: 'done, waits for its turn',
}

/** On a terminal: lasting lines scroll up; below them one line per call that is not done, redrawn in place. */
export function liveReporter(stderr: Output, paint: Paint): Reporter {
  const lines = createTalkLines(paint)
  let progress = idle
  let drawn = 0
  let frame = 0
  let paused = false
  const timer = setInterval(() => {
    frame += 1
    redraw('')
  }, frameMs)
  timer.unref()

  function redraw(above: string): void {
    if (paused) {
      stderr.write(above)
      return
    }
    const below = liveLines().map(line => `${clip(line, stderr.columns - 1)}\n`)
    stderr.write(erase() + above + below.join(''))
    drawn = below.length
  }

  function erase(): string {
    return drawn === 0 ? '' : `\u001b[${drawn}A\u001b[0J`
  }

  function liveLines(): string[] {
    const spinner = frames[frame % frames.length] ?? ''
    const tail = withoutControls(progress.streaming.split('\n').at(-1) ?? '')
    return [
      ...(progress.streaming === '' ? [] : [`${spinner} ${tail}`]),
      ...Array.from(progress.calls.values(), call => callLine(spinner, call)),
      ...(progress.queued > 0 ? [`  ${progress.queued} in the queue`] : []),
    ]
  }

  function clear(): void {
    stderr.write(erase())
    drawn = 0
  }

  return {
    show(event) {
      progress = advance(progress, event)
      // The live line says so already.
      const above = event.type === 'call-dispatched' ? (lines(event), '') : lines(event)
      if (event.type !== 'text') redraw(above)
    },
    pause() {
      clear()
      paused = true
      return () => {
        paused = false
        redraw('')
      }
    },
    end() {
      clearInterval(timer)
      clear()
    },
  }
}

function callLine(spinner: string, { title, stage, since }: ProgressCall): string {
  const mark = stage === 'running' ? spinner : ' '
  const elapsed = `${((Date.now() - since) / 1000).toFixed(1)} s`
  return `${mark} ${title}  ${elapsed}  ${stageText[stage]}`.trimEnd()
}

function clip(line: string, columns: number): string {
  return line.length > columns ? `${line.slice(0, Math.max(0, columns - 1)).toWellFormed()}…` : line
}
