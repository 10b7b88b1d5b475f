import type { SessionEvent } from '@agent-spine/session'
import { statusOfCode } from './call-status.js'
import { resultCallId } from './tool-result.js'

/**
 * Which events a person wants to see.
 *
 * E1 Every term must hold. A plain word holds where type or data contain it, in any case.
 * E2 `type:tool/` holds by the start of the type, `seq:10` and `seq:10-20` by number, `turn:1` by turn, `call:ID` for
 *    everything about a call, `is:problem` for what went wrong.
 * E3 A term that looks like one of these but cannot be read is a plain word.
 */
export interface EventFilter {
  readonly words: readonly string[]
  readonly types: readonly string[]
  readonly seqs: readonly (readonly [number, number])[]
  readonly turns: readonly number[]
  readonly calls: readonly string[]
  readonly onlyProblems: boolean
  readonly kind: EventKind
}

/** The groups of events that can be chosen without typing. */
export const eventKinds = [
  'no chunks',
  'everything',
  'calls',
  'messages',
  'turns and steps',
  'chunks',
] as const
export type EventKind = (typeof eventKinds)[number]

const kindTests: Readonly<Record<EventKind, (type: string) => boolean>> = {
  everything: () => true,
  'no chunks': type => type !== 'assistant/chunk',
  chunks: type => type === 'assistant/chunk',
  calls: type => type.startsWith('tool/'),
  messages: type => type.endsWith('/message') || type === 'tool/result',
  'turns and steps': type => /^(turn|step|attempt)\//.test(type),
}

/** Reads what a person typed. Text in double quotes is one word. */
export function parseFilter(text: string, kind: EventKind): EventFilter {
  const words: string[] = []
  const types: string[] = []
  const seqs: (readonly [number, number])[] = []
  const turns: number[] = []
  const calls: string[] = []
  let onlyProblems = false
  for (const [term, quoted] of text.matchAll(/"([^"]*)"?|\S+/g)) {
    const [, name, value = ''] = /^(type|seq|turn|call|is):(.+)$/.exec(term) ?? []
    const range = /^(\d+)(?:-(\d+))?$/.exec(value)
    if (quoted !== undefined) words.push(quoted.toLowerCase())
    else if (name === 'type') types.push(value)
    else if (name === 'call') calls.push(value)
    else if (name === 'is' && value === 'problem') onlyProblems = true
    else if (name === 'turn' && range?.[2] === undefined && range) turns.push(Number(value))
    else if (name === 'seq' && range) seqs.push([Number(range[1]), Number(range[2] ?? range[1])])
    else words.push(term.toLowerCase())
  }
  return { words: words.filter(word => word !== ''), types, seqs, turns, calls, onlyProblems, kind }
}

/** Whether an event passes. `searchText` is asked only for words, because it costs the most. */
export function passes(
  event: SessionEvent,
  filter: EventFilter,
  searchText: (event: SessionEvent) => string,
): boolean {
  const { type, seq } = event
  if (!kindTests[filter.kind](type)) return false
  if (filter.types.length > 0 && !filter.types.some(start => type.startsWith(start))) return false
  if (filter.seqs.length > 0 && !filter.seqs.some(([from, to]) => seq >= from && seq <= to)) return false
  if (filter.turns.length > 0 && !filter.turns.includes(turnOf(event) ?? -1)) return false
  if (filter.calls.length > 0 && !filter.calls.some(id => isAbout(event, id))) return false
  if (filter.onlyProblems && !isProblemEvent(event)) return false
  return filter.words.length === 0 || containsAll(searchText(event), filter.words)
}

/** What words are looked for in. */
export function searchTextOf({ type, data }: SessionEvent): string {
  return `${type} ${JSON.stringify(data)}`.toLowerCase()
}

function containsAll(text: string, words: readonly string[]): boolean {
  return words.every(word => text.includes(word))
}

function turnOf({ data }: SessionEvent): number | undefined {
  return 'turn' in data ? data.turn : undefined
}

function isAbout(event: SessionEvent, callId: string): boolean {
  switch (event.type) {
    case 'assistant/message':
      return event.data.message.content.some(block => block.type === 'tool-call' && block.id === callId)
    case 'tool/call':
    case 'tool/dispatch':
      return event.data.callId === callId
    case 'tool/sub-call':
      return event.data.callId === callId || event.data.parentCallId === callId
    case 'tool/sub-result':
      return resultCallId(event.data) === callId || event.data.parentCallId === callId
    case 'tool/result':
    case 'tool/late':
      return resultCallId(event.data) === callId
    default:
      return false
  }
}

/** Whether an event tells of something that did not go as it should. */
export function isProblemEvent(event: SessionEvent): boolean {
  switch (event.type) {
    case 'tool/call':
    case 'tool/sub-call':
      return event.data.skipped === true
    case 'tool/result':
    case 'tool/sub-result': {
      const [block] = event.data.message.content
      const { error } = event.data
      return error !== undefined
        ? statusOfCode(error.code) !== 'done'
        : block?.type === 'tool-result' && block.isError === true
    }
    case 'tool/late':
      return true
    case 'turn/end':
      return event.data.reason.kind !== 'completed'
    case 'attempt/end':
      return event.data.failure !== undefined
    case 'assistant/message':
      return event.data.interrupted === true
    case 'session/owner':
      return event.data.lostTail === true
    default:
      return false
  }
}
