import type { JsonObject, JsonValue } from '@agent-spine/schema'
import type { SessionEvent } from '../event.js'
import { unpackRun } from './chunk-run.js'
import { packSeqs, unpackSeqs } from './seq-ranges.js'

/** Turns events into record bodies and records back into the same events. A body lacks its closing brace. */

/** The body of the record of one event. */
export function eventBody(event: SessionEvent): string {
  const { seq, sourceEventSeqs } = event
  const packed = sourceEventSeqs ? { ...event, sourceEventSeqs: packSeqs(sourceEventSeqs, seq) } : event
  return JSON.stringify(packed).slice(0, -1)
}

/** The body of the record of several events that are kept or lost together. */
export function batchBody(events: readonly SessionEvent[]): string {
  return `{"batch":[${events.map(event => `${eventBody(event)}}`).join(',')}]`
}

/** The seq of the first event a record claims to hold; nothing for a mark, or what is no record of events. */
export function firstSeq(record: JsonObject): number | undefined {
  const holder = Array.isArray(record['batch'])
    ? (record['batch'] as readonly JsonValue[])[0]
    : (record['chunks'] ?? record)
  return isObject(holder) && typeof holder['seq'] === 'number' ? holder['seq'] : undefined
}

/** The events of a record, which must begin with seq `next`; or what is wrong with it. */
export function unpackRecord(record: JsonObject, next: number): readonly SessionEvent[] | string {
  if ('seq' in record) return unpackEvents([record], next)
  if ('chunks' in record) return unpackRun(record, next)
  if ('mark' in record) return []
  const batch = record['batch']
  return Array.isArray(batch) && batch.length > 0
    ? unpackEvents(batch as readonly JsonValue[], next)
    : 'a record of an unknown kind'
}

function unpackEvents(values: readonly JsonValue[], next: number): readonly SessionEvent[] | string {
  const events: SessionEvent[] = []
  for (const value of values) {
    const seq = next + events.length
    if (!isObject(value)) return 'a batch that holds something else than events'
    if (value['seq'] !== seq) return `seq ${JSON.stringify(value['seq'])} where ${seq} must follow`
    if (typeof value['time'] !== 'number' || typeof value['type'] !== 'string' || !('data' in value)) {
      return 'an event without time, type or data'
    }
    const cited = value['sourceEventSeqs']
    const seqs = cited === undefined ? undefined : unpackSeqs(cited, seq)
    if (typeof seqs === 'string') return seqs
    // The check above is what a store can vouch for: the data is the session's to judge.
    events.push((seqs === undefined ? value : { ...value, sourceEventSeqs: seqs }) as unknown as SessionEvent)
  }
  return events
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
