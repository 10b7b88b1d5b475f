import type { SessionEvent } from '@agent-spine/session'

/*
 * Turns events into fewer and shorter values, and back. Most events of a long log are pieces of streamed text that
 * differ in little but the text: a page that holds each of them whole takes a browser seconds to read.
 *
 * K1 Unpacking gives the same events, whatever they hold.
 * K2 A run is chunks that follow each other and differ in nothing but seq, time and text.
 * K3 Cited seqs without a gap are written as the first and the last.
 */

/** An event, or a run: its first event, the texts of the others, and how much later each came than the one before it. */
export type PackedEvent =
  object | readonly [first: object, texts: readonly string[], delays: readonly number[]]

type ChunkEvent = SessionEvent<'assistant/chunk'>
type Piece = Extract<ChunkEvent['data']['chunk'], { readonly text: string }>
/** A chunk that is nothing but a piece of text. */
type PieceEvent = ChunkEvent & { readonly data: { readonly chunk: Piece } }

/** A run that may still grow. */
interface Run {
  readonly first: PieceEvent
  readonly texts: string[]
  readonly delays: number[]
  lastTime: number
}

/** Packs events as they come. O(events). */
export function* packEvents(events: Iterable<SessionEvent>): Generator<PackedEvent> {
  let run: Run | undefined
  for (const event of events) {
    const isOne = isPiece(event)
    if (isOne && run !== undefined && isNext(run, event)) {
      run.texts.push(event.data.chunk.text)
      run.delays.push(event.time - run.lastTime)
      run.lastTime = event.time
      continue
    }
    if (run !== undefined) yield closed(run)
    run = isOne ? { first: event, texts: [], delays: [], lastTime: event.time } : undefined
    if (!isOne) yield withRange(event)
  }
  if (run !== undefined) yield closed(run)
}

/** Adds what was packed to `events`. */
export function unpackInto(events: SessionEvent[], packed: PackedEvent): void {
  if (!isRun(packed)) {
    events.push(withSeqs(packed))
    return
  }
  const [first, texts, delays] = packed as readonly [PieceEvent, readonly string[], readonly number[]]
  const { turn, step, attempt, chunk } = first.data
  const { type, index } = chunk
  let { seq, time } = first
  events.push(first)
  // Most events of a log are made here: literals, so that all of them share one shape.
  for (const text of texts) {
    time += delays[seq - first.seq] ?? 0
    seq += 1
    const data = { turn, step, attempt, chunk: { type, index, text } }
    events.push({ seq, time, type: 'assistant/chunk', data })
  }
}

function isRun(packed: PackedEvent): packed is readonly [object, readonly string[], readonly number[]] {
  return Array.isArray(packed)
}

function closed({ first, texts, delays }: Run): PackedEvent {
  return texts.length === 0 ? first : [first, texts, delays]
}

function isPiece(event: SessionEvent): event is PieceEvent {
  if (event.type !== 'assistant/chunk') return false
  const { chunk } = event.data
  return hasOnly(event, 4) && hasOnly(event.data, 4) && hasOnly(chunk, 3) && 'text' in chunk
}

function hasOnly(value: object, count: number): boolean {
  return Object.keys(value).length === count
}

function isNext({ first, texts }: Run, { seq, data }: PieceEvent): boolean {
  const { turn, step, attempt, chunk } = first.data
  return (
    seq === first.seq + texts.length + 1 &&
    data.turn === turn &&
    data.step === step &&
    data.attempt === attempt &&
    data.chunk.type === chunk.type &&
    data.chunk.index === chunk.index
  )
}

interface CitedRange {
  readonly sourceEventSeqs?: readonly number[] | { readonly first: number; readonly last: number }
}

function withRange(event: SessionEvent): object {
  const { sourceEventSeqs: seqs } = event
  if (seqs === undefined || seqs.length < 3) return event
  const first = seqs[0] ?? 0
  const hasGap = seqs.some((seq, index) => seq !== first + index)
  return hasGap ? event : { ...event, sourceEventSeqs: { first, last: first + seqs.length - 1 } }
}

function withSeqs(packed: object): SessionEvent {
  const { sourceEventSeqs: cited } = packed as CitedRange
  if (cited === undefined || 'length' in cited) return packed as SessionEvent
  const { first, last } = cited
  const seqs = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  return { ...packed, sourceEventSeqs: seqs } as unknown as SessionEvent
}
