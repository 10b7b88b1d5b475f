import type { SessionEvent } from '../event.js'
import type { SessionHeader } from '../store.js'
import { isTornRecord, openHeader, openRecord, type OpenedRecord } from './format.js'
import type { Line } from './lines.js'
import { firstSeq, unpackRecord } from './pack.js'

/**
 * Turns the lines of a log, fed in order, into its events and a verdict on its damage.
 *
 * L1 Events come from the lines before the first damage only, and are contiguous from 0.
 * L2 A damaged line is a torn tail only if its events lie beyond every `synced` of the file, those after it included, and
 *    no later line goes on where it begins. Whatever else is wrong is corruption.
 * L3 A line that passes its checksum and still makes no sense is corruption: no crash writes one.
 * L4 A torn tail is a crash tear only if it is one unterminated line that can be the beginning of a record. Any other may
 *    have held events that were reported as written.
 */

/** Where a scan stands: behind the last good line. */
export interface ScanPosition {
  /** Known behind the first line. */
  readonly header?: SessionHeader | undefined
  readonly offset: number
  readonly line: number
  readonly nextSeq: number
  readonly synced: number
}

/** What is wrong with a log, and where. */
export interface Damage {
  /** What was found there. */
  readonly found: string
  /** From 1. */
  readonly line: number
  /** In bytes. */
  readonly offset: number
}

export type Verdict =
  | { readonly kind: 'sound'; readonly header: SessionHeader; readonly newlineMissing: boolean }
  | {
      readonly kind: 'torn'
      readonly header: SessionHeader
      readonly damage: Damage
      readonly crashTear: boolean
    }
  | { readonly kind: 'corrupt'; readonly damage: Damage }

export const startOfLog: ScanPosition = { offset: 0, line: 0, nextSeq: 0, synced: -1 }

const noEvents: readonly SessionEvent[] = []

export class LogScan {
  readonly #id: string
  #position: ScanPosition
  #end: number
  #newlineMissing = false
  #endsWithMark = false
  #damage: Damage | undefined
  /** Set once the damage cannot be a torn tail. */
  #corrupt = false
  #crashTear = false

  constructor(id: string, from = startOfLog) {
    this.#id = id
    this.#position = from
    this.#end = from.offset
  }

  get position(): ScanPosition {
    return this.#position
  }

  /** Where the file ends, as far as it was fed. */
  get end(): number {
    return this.#end
  }

  /** Whether the last good line is the mark of a clean close. */
  get endsWithMark(): boolean {
    return this.#endsWithMark
  }

  feed(line: Line): readonly SessionEvent[] {
    this.#end = line.end
    const record = line.overlong ? 'a line that is longer than any record' : openRecord(line)
    if (this.#damage) {
      if (typeof record !== 'string') this.#lookBeyond(record)
      return noEvents
    }
    if (typeof record === 'string') {
      this.#crashTear = !line.terminated && !line.overlong && isTornRecord(line)
      // The header is complete before the file has its name, so no crash tears it.
      return this.#fail(line, { found: record, corrupt: !this.#position.header })
    }
    return this.#position.header ? this.#takeRecord(line, record) : this.#takeHeader(line, record)
  }

  verdict(): Verdict {
    const { header, nextSeq, synced } = this.#position
    const damage = this.#damage
    if (!header) return { kind: 'corrupt', damage: damage ?? { found: 'an empty file', line: 1, offset: 0 } }
    if (!damage) return { kind: 'sound', header, newlineMissing: this.#newlineMissing }
    if (this.#corrupt || nextSeq <= synced) return { kind: 'corrupt', damage }
    return { kind: 'torn', header, damage, crashTear: this.#crashTear }
  }

  #takeHeader(line: Line, record: OpenedRecord): readonly SessionEvent[] {
    const header = openHeader(record, this.#id)
    if (typeof header === 'string') return this.#fail(line, { found: header, corrupt: true })
    this.#position = { ...startOfLog, header, offset: line.end, line: 1 }
    this.#newlineMissing = !line.terminated
    return noEvents
  }

  #takeRecord(line: Line, record: OpenedRecord): readonly SessionEvent[] {
    const events = this.#unpack(record)
    if (typeof events === 'string') return this.#fail(line, { found: events, corrupt: true })
    const { header, line: count, nextSeq, synced } = this.#position
    this.#position = {
      header,
      offset: line.end,
      line: count + 1,
      nextSeq: nextSeq + events.length,
      synced: Math.max(synced, record.synced ?? -1),
    }
    this.#newlineMissing = !line.terminated
    this.#endsWithMark = events.length === 0
    return events
  }

  #unpack({ value, synced }: OpenedRecord): readonly SessionEvent[] | string {
    const { nextSeq } = this.#position
    if (synced === undefined) return 'a record without synced'
    if (synced >= nextSeq) {
      return `a record that knows of seq ${synced}, after lines that end with seq ${nextSeq - 1}`
    }
    return unpackRecord(value, nextSeq)
  }

  #fail(line: Line, { found, corrupt }: { found: string; corrupt: boolean }): readonly SessionEvent[] {
    this.#damage = { found, line: this.#position.line + 1, offset: line.offset }
    this.#corrupt = corrupt
    return noEvents
  }

  #lookBeyond({ value, synced }: OpenedRecord): void {
    this.#position = { ...this.#position, synced: Math.max(this.#position.synced, synced ?? -1) }
    if (firstSeq(value) === this.#position.nextSeq) this.#corrupt = true
  }
}
