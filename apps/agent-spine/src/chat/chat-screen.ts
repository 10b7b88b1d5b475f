import { createBottomBlock } from '../output/bottom-block.js'
import { withoutControls } from '../output/call-text.js'
import { frameMs } from '../output/live-lines.js'
import { type Output } from '../output/output.js'
import { type Paint } from '../output/paint.js'
import { type Reporter } from '../output/reporter.js'
import { type RunEvent } from '../output/run-event.js'
import { advance, idle } from '../output/run-progress.js'
import { answerLines, createTalkLines } from '../output/talk-lines.js'
import { chatRows, type ChatView } from './chat-rows.js'

export interface ChatScreen extends Reporter {
  /** Adds lines to the transcript. They are harmless for a terminal, and end with a new line. */
  print(lines: string): void
  /** Draws what is below the transcript anew. */
  refresh(): void
  /** The same on an empty terminal. */
  redraw(): void
  /** Leaves nothing below the transcript until it is drawn anew. */
  clear(): void
}

export interface ChatScreenOptions {
  readonly output: Output
  readonly paint: Paint
  /** What the person and the agent are at, beside the progress of the turn. */
  readonly view: () => Omit<ChatView, 'progress'>
}

const eraseAll = '\u001b[2J\u001b[H'

/** The transcript scrolls up; below it is what runs, what is queued, and the prompt. */
export function createChatScreen({ output, paint, view }: ChatScreenOptions): ChatScreen {
  const block = createBottomBlock(output)
  const lines = createTalkLines(paint)
  let progress = idle
  let frame = 0
  let ended = false
  const timer = setInterval(() => {
    frame += 1
    draw('')
  }, frameMs)

  function draw(above: string): void {
    if (ended) {
      output.write(above)
      return
    }
    const { columns, rows } = output
    const drawn = chatRows({ ...view(), progress }, { columns, rows, frame, now: Date.now() }, paint)
    block.draw(above, drawn.rows, drawn.cursor)
  }

  function transcript(event: RunEvent): string {
    switch (event.type) {
      case 'user':
        return `\n${paint('bold', '›')} ${withoutControls(event.text)}\n`
      case 'answer':
        return answerLines(event, paint)
      case 'call-dispatched':
        // The live line says so already.
        lines(event)
        return ''
      case 'turn-end':
        return event.reason.kind === 'completed'
          ? ''
          : `${paint('yellow', `the turn ended: ${event.reason.kind}`)}\n`
      default:
        return lines(event)
    }
  }

  return {
    show(event) {
      progress = advance(progress, event)
      const above = transcript(event)
      if (event.type !== 'text') draw(above)
    },
    print: draw,
    refresh: () => draw(''),
    clear: () => block.clear(),
    redraw() {
      block.clear()
      output.write(eraseAll)
      draw('')
    },
    pause: () => () => undefined,
    end() {
      ended = true
      clearInterval(timer)
      block.clear()
    },
  }
}
