import { type SessionEvent } from '@agent-spine/session'
import { needsRepair } from '@agent-spine/repair'
import { workLeft } from './resume-session.js'

/** A session in a line. */
export interface SessionSummary {
  /** `open`: killed, or running right now. Otherwise how the last turn ended. */
  readonly state: string
  readonly turns: number
  readonly calls: number
  /** The first thing that was asked. */
  readonly prompt: string
}

export function summariseSession(events: readonly SessionEvent[]): SessionSummary {
  const lastEnd = events.findLast(event => event.type === 'turn/end')
  const first = events.find(event => event.type === 'inbox/spliced' && event.data.inserted.length > 0)
  const blocks = first?.type === 'inbox/spliced' ? (first.data.inserted[0]?.message.content ?? []) : []
  return {
    state: needsRepair(events)
      ? 'open'
      : (lastEnd?.data.reason.kind ?? (workLeft(events) === 'no-task' ? 'empty' : 'queued')),
    turns: events.filter(({ type }) => type === 'turn/start').length,
    calls: events.filter(({ type }) => type === 'tool/call').length,
    prompt: blocks.map(block => (block.type === 'text' ? block.text : '')).join(''),
  }
}
