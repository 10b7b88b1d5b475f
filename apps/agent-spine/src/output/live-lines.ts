import { withoutControls } from './call-text.js'
import { type CallStage, type ProgressCall, type RunProgress } from './run-progress.js'
import { clipToWidth, wrapToWidth } from './text-width.js'

/** How long a frame of the spinner is shown. */
export const frameMs = 100

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const stageText: Readonly<Record<CallStage, string>> = {
  preparing: 'waits to start',
  running: '',
  waiting: 'done, waits for its turn',
}

/** The moment and the room that live lines are made for. */
export interface LiveView {
  /** Counts the frames. */
  readonly frame: number
  readonly now: number
  readonly columns: number
  /** How many rows of the answer that is being streamed are shown: its last ones. */
  readonly streamingRows: number
}

/** What a run is doing right now, one row each; none is wider than the view. */
export function liveLines(
  { streaming, calls }: RunProgress,
  { frame, now, columns, streamingRows }: LiveView,
): readonly string[] {
  const spinner = spinnerAt(frame)
  const rows = streaming === '' ? [] : lastRows(streaming, columns - 2, streamingRows)
  return [
    ...rows.map((row, index) => `${index === 0 ? spinner : ' '} ${row}`),
    ...Array.from(calls.values(), call => clipToWidth(callLine(spinner, call, now), columns)),
  ]
}

export function spinnerAt(frame: number): string {
  return frames[frame % frames.length] ?? ''
}

/** The end of a text. Only that is looked at: the beginning may be long. */
function lastRows(text: string, columns: number, count: number): readonly string[] {
  const end = text.split('\n').slice(-count).join('\n')
  return wrapToWidth(withoutControls(end).replaceAll('\t', '  '), Math.max(1, columns)).slice(-count)
}

function callLine(spinner: string, { title, stage, since }: ProgressCall, now: number): string {
  const mark = stage === 'running' ? spinner : ' '
  const elapsed = `${((now - since) / 1000).toFixed(1)} s`
  return `${mark} ${title}  ${elapsed}  ${stageText[stage]}`.trimEnd()
}
