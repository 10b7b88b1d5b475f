import type { JsonObject, JsonValue } from '@agent-spine/schema'
import type { SessionEvent } from '../event.js'
import { extendRun, isPiece, runBody, startRun, unpackRun, type ChunkRun } from './chunk-run.js'
import { packSeqs, unpackSeqs } from './seq-ranges.js'

/** Turns events into record bodies and records back into the same events. A body lacks its closing brace. */

/** The body of the record of one event. */
export function eventBody(event: SessionEvent): string {
  const { seq, sourceEventSeqs } = event
  const packed = sourceEventSeqs ? { ...event, sourceEventSeqs: packSeqs(sourceEventSeqs, seq) } : event
  return JSON.stringify(packed).slice(0, -1)
}

/** The body of the record of several events that are kept or lost together. Runs of chunks are packed within it. */
export function batchBody(events: readonly SessionEvent[]): string {
  const bodies: string[] = []
  let run: ChunkRun | undefined
  for (const event of events) {
    if (isPiece(event) && run && extendRun(run, event)) continue
    if (run) bodies.push(closedRunBody(run))
    run = isPiece(event) ? startRun(event) : undefined
    if (!run) bodies.push(eventBody(event))
  }
  if (run) bodies.push(closedRunBody(run))
  return `{"batch":[${bodies.map(body => `${body}}`).join(',')}]`
}

/** The body of a run that will not grow. One chunk alone is written as the event it is. */
export function closedRunBody(run: ChunkRun): string {
  return run.lengths.length === 1 ? eventBody(run.first) : runBody(run)
}

/** The seq of the first event a record claims to hold; nothing for a mark, or what is no record of events. */
export function firstSeq(record: JsonObject): number | undefined {
  const batch = record['batch']
  const first = Array.isArray(batch) ? (batch as readonly JsonValue[])[0] : record
  const holder = isObject(first) ? (first['chunks'] ?? first) : undefined
  return isObject(holder) && typeof holder['seq'] === 'number' ? holder['seq'] : undefined
}

/** The events of a record, which must begin with seq `next`; or what is wrong with it. */
export function unpackRecord(record: JsonObject, next: number): readonly SessionEvent[] | string {
  if ('mark' in record) return []
  const batch = record['batch']
  if (!Array.isArray(batch)) return unpackPart(record, next)
  const events: SessionEvent[] = []
  for (const part of batch as readonly JsonValue[]) {
    const unpacked = isObject(part) ? unpackPart(part, next + events.length) : 'a batch that holds no events'
    if (typeof unpacked === 'string') return unpacked
    for (const event of unpacked) events.push(event)
  }
  return events.length > 0 ? events : 'an empty batch'
}

function unpackPart(part: JsonObject, next: number): readonly SessionEvent[] | string {
  if ('chunks' in part) return unpackRun(part, next)
  if (!('seq' in part)) return 'a record of an unknown kind'
  const { seq, time, type, sourceEventSeqs: cited } = part
  if (seq !== next) return `seq ${JSON.stringify(seq)} where ${next} must follow`
  if (typeof time !== 'number' || typeof type !== 'string' || !('data' in part)) {
    return 'an event without time, type or data'
  }
  // The checks above are what a store can vouch for: the data is the session's to judge.
  if (cited === undefined) return [part as unknown as SessionEvent]
  const seqs = unpackSeqs(cited, next)
  return typeof seqs === 'string' ? seqs : [{ ...part, sourceEventSeqs: seqs } as unknown as SessionEvent]
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
