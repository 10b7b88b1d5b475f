import { HarnessError } from '@agent-spine/schema'
import type { SessionEvent } from '../event.js'
import { extendRun, isPiece, startRun, type ChunkRun } from './chunk-run.js'
import { sealRecord } from './format.js'
import { longestRecordBytes } from './lines.js'
import { batchBody, closedRunBody, eventBody } from './pack.js'

/** Collects events and turns them into the lines that hold them. Events added at once share a record. */
export class RecordBuffer {
  #bodies: string[] = []
  #run: ChunkRun | undefined
  #size = 0

  /** Roughly how many bytes wait. */
  get size(): number {
    return this.#size
  }

  get isEmpty(): boolean {
    return this.#size === 0
  }

  /** Takes events, all or none. Throws when JSON cannot hold them. Returns whether they may wait for more of their kind. */
  add(events: readonly SessionEvent[]): boolean {
    const [event] = events
    if (!event) return true
    if (events.length === 1 && isPiece(event)) {
      this.#addPiece(event)
      return true
    }
    const body = events.length === 1 ? eventBody(event) : batchBody(events)
    // Another 100 bytes hold what sealing adds.
    if (body.length > longestRecordBytes / 4 && Buffer.byteLength(body) + 100 > longestRecordBytes) {
      throw new HarnessError(
        'RECORD_TOO_LARGE',
        `events appended together may take ${longestRecordBytes} bytes of JSON (found ${Buffer.byteLength(body)}): append them in parts`,
      )
    }
    this.#closeRun()
    this.#bodies.push(body)
    this.#size += body.length
    return false
  }

  /** Hands over everything as lines that know of `synced`. */
  take(synced: number): Buffer {
    this.#closeRun()
    const lines = this.#bodies.map(body => sealRecord(body, synced)).join('')
    this.#bodies = []
    this.#size = 0
    return Buffer.from(lines)
  }

  #addPiece(event: Parameters<typeof startRun>[0]): void {
    if (!this.#run || !extendRun(this.#run, event)) {
      this.#closeRun()
      this.#run = startRun(event)
      this.#size += 200
    }
    this.#size += event.data.chunk.text.length + 6
  }

  #closeRun(): void {
    const run = this.#run
    this.#run = undefined
    if (run) this.#bodies.push(closedRunBody(run))
  }
}
