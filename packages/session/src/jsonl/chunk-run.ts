import type { JsonObject, JsonValue } from '@agent-spine/schema'
import type { SessionEvent } from '../event.js'

/**
 * Turns runs of small chunks into one record and back. A run is adjacent delta events of one block that differ in
 * nothing but seq, time and text; any event with more to it is written as it is.
 */

/** A delta event with nothing to it but its piece of text. */
export interface PieceEvent {
  readonly seq: number
  readonly time: number
  readonly data: {
    readonly turn: number
    readonly step: number
    readonly attempt: number
    readonly chunk: { readonly type: string; readonly index: number; readonly text: string }
  }
}

/** A run that may still grow. */
export interface ChunkRun {
  readonly first: SessionEvent & PieceEvent
  text: string
  lastTime: number
  /** Length of each piece, in UTF-16 units. */
  readonly lengths: number[]
  /** Milliseconds from each piece's predecessor. */
  readonly delays: number[]
}

const eventKeys = ['seq', 'time', 'type', 'data']
const dataKeys = ['turn', 'step', 'attempt', 'chunk']
const chunkKeys = ['type', 'index', 'text']
const deltaTypes = new Set(['text-delta', 'reasoning-delta', 'tool-call-delta'])

/** Whether a run can hold the event. The order of keys counts, since unpacking restores just this one. */
export function isPiece(event: SessionEvent): event is SessionEvent & PieceEvent {
  return (
    event.type === 'assistant/chunk' &&
    hasKeys(event, eventKeys) &&
    Number.isSafeInteger(event.time) &&
    event.time >= 0 &&
    hasKeys(event.data, dataKeys) &&
    hasKeys(event.data.chunk, chunkKeys) &&
    deltaTypes.has(event.data.chunk.type)
  )
}

export function startRun(first: SessionEvent & PieceEvent): ChunkRun {
  const { text } = first.data.chunk
  return { first, text, lastTime: first.time, lengths: [text.length], delays: [0] }
}

/** Adds the event to the run. Returns `false` where it does not belong to it. */
export function extendRun(run: ChunkRun, event: PieceEvent): boolean {
  if (!sameBlock(run.first, event)) return false
  run.text += event.data.chunk.text
  run.lengths.push(event.data.chunk.text.length)
  run.delays.push(event.time - run.lastTime)
  run.lastTime = event.time
  return true
}

/** The body of the record of a run. */
export function runBody({ first, text, lengths, delays }: ChunkRun): string {
  const { turn, step, attempt, chunk } = first.data
  const { type, index } = chunk
  const chunks = { seq: first.seq, time: first.time, turn, step, attempt, type, index }
  return JSON.stringify({ chunks, text, len: lengths, dt: delays }).slice(0, -1)
}

/** The events of the record of a run that must begin with seq `next`; or what is wrong with it. */
export function unpackRun(record: JsonObject, next: number): readonly SessionEvent[] | string {
  const { chunks, text, len, dt } = record
  if (!isBlock(chunks) || typeof text !== 'string' || !isIntegers(len) || !isIntegers(dt)) {
    return 'a run of chunks that lacks a part'
  }
  if (chunks.seq !== next) return `seq ${chunks.seq} where ${next} must follow`
  const { turn, step, attempt, type, index } = chunks
  const events: SessionEvent[] = []
  let time = chunks.time
  let start = 0
  // Counted, not iterated: a long answer has most of the events of a log.
  for (let position = 0; position < len.length; position++) {
    const end = start + (len[position] ?? 0)
    if (end < start || end > text.length) return misfit
    time += dt[position] ?? 0
    const chunk = { type, index, text: text.slice(start, end) }
    events.push({ seq: next + position, time, type: 'assistant/chunk', data: { turn, step, attempt, chunk } })
    start = end
  }
  return len.length > 0 && len.length === dt.length && start === text.length ? events : misfit
}

const misfit = 'a run of chunks whose parts do not fit together'

interface Block {
  readonly seq: number
  readonly time: number
  readonly turn: number
  readonly step: number
  readonly attempt: number
  readonly type: 'text-delta'
  readonly index: number
}

const blockNumbers = ['seq', 'time', 'turn', 'step', 'attempt', 'index']

function isBlock(value: JsonValue | undefined): value is JsonValue & Block {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const block = value as JsonObject
  return (
    typeof block['type'] === 'string' &&
    deltaTypes.has(block['type']) &&
    blockNumbers.every(key => typeof block[key] === 'number')
  )
}

function isIntegers(value: JsonValue | undefined): value is readonly number[] {
  return Array.isArray(value) && value.every(item => Number.isSafeInteger(item))
}

function sameBlock({ data: left }: PieceEvent, { data: right }: PieceEvent): boolean {
  return (
    left.chunk.index === right.chunk.index &&
    left.chunk.type === right.chunk.type &&
    left.attempt === right.attempt &&
    left.step === right.step &&
    left.turn === right.turn
  )
}

function hasKeys(object: object, keys: readonly string[]): boolean {
  let count = 0
  for (const key in object) if (key !== keys[count++]) return false
  return count === keys.length
}
