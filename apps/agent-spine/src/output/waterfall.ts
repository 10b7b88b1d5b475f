import { type SessionEvent } from '@agent-spine/session'
import { parseTestOutcome } from '../tools/test-outcome.js'
import { callTitle } from './call-text.js'

/** When a call's body ran. */
export interface BodySpan {
  readonly title: string
  /** Milliseconds since 1970. */
  readonly start: number
  readonly end: number
}

/**
 * The bodies that ran, from the log. A body's end is its dispatch plus the time its result says it took; for a tool that
 * does not say, the time its result was committed.
 */
export function bodySpans(events: readonly SessionEvent[]): readonly BodySpan[] {
  const titles = new Map<string, string>()
  const starts = new Map<string, number>()
  const spans: BodySpan[] = []
  for (const event of events) {
    if (event.type === 'tool/call')
      titles.set(event.data.callId, callTitle(event.data.name, event.data.arguments))
    if (event.type === 'tool/dispatch') starts.set(event.data.callId, event.time)
    if (event.type !== 'tool/result') continue
    const [block] = event.data.message.content
    const start = block?.type === 'tool-result' ? starts.get(block.toolCallId) : undefined
    if (block?.type !== 'tool-result' || start === undefined) continue
    const [content] = block.content
    const durationMs = content?.type === 'text' ? parseTestOutcome(content.text)?.durationMs : undefined
    spans.push({
      title: titles.get(block.toolCallId) ?? block.toolCallId,
      start,
      end: durationMs === undefined ? event.time : start + durationMs,
    })
  }
  return spans
}

/** The greatest number of bodies that ran at one moment. */
export function peakOverlap(spans: readonly BodySpan[]): number {
  const running = (at: number) => spans.filter(({ start, end }) => start <= at && at < end).length
  return Math.max(0, ...spans.map(({ start }) => running(start)))
}

/** The spans as bars over one time axis of `columns` characters. */
export function waterfall(spans: readonly BodySpan[], columns = 40): string {
  const from = Math.min(...spans.map(({ start }) => start))
  const length = Math.max(1, Math.max(...spans.map(({ end }) => end)) - from)
  const column = (time: number) => Math.round(((time - from) / length) * columns)
  const width = Math.max(0, ...spans.map(({ title }) => title.length))
  const rows = spans.map(({ title, start, end }) => {
    const bar = '█'.repeat(Math.max(1, column(end) - column(start)))
    const lane = (' '.repeat(Math.min(column(start), columns - 1)) + bar).padEnd(columns + 1)
    return `${title.padEnd(width)}  ${lane} ${((end - start) / 1000).toFixed(2)} s\n`
  })
  return rows.join('')
}
