import { createBottomBlock } from './bottom-block.js'
import { frameMs, liveLines } from './live-lines.js'
import { type Output } from './output.js'
import { type Paint } from './paint.js'
import { type Reporter } from './reporter.js'
import { advance, idle } from './run-progress.js'
import { createTalkLines } from './talk-lines.js'
import { clipToWidth } from './text-width.js'

/** On a terminal: lasting lines scroll up; below them one line per call that is not done, redrawn in place. */
export function liveReporter(stderr: Output, paint: Paint): Reporter {
  const lines = createTalkLines(paint)
  const block = createBottomBlock(stderr)
  let progress = idle
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
    const columns = stderr.columns - 1
    const queued = progress.queued > 0 ? [clipToWidth(`  ${progress.queued} in the queue`, columns)] : []
    const view = { frame, now: Date.now(), columns, streamingRows: 1 }
    const rows = [...liveLines(progress, view), ...queued, '']
    block.draw(above, rows, { row: rows.length - 1, column: 0 })
  }

  return {
    show(event) {
      progress = advance(progress, event)
      // The live line says so already.
      const above = event.type === 'call-dispatched' ? (lines(event), '') : lines(event)
      if (event.type !== 'text') redraw(above)
    },
    pause() {
      block.clear()
      paused = true
      return () => {
        paused = false
        redraw('')
      }
    },
    end() {
      clearInterval(timer)
      block.clear()
    },
  }
}
