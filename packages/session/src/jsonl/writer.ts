import { HarnessError } from '@agent-spine/schema'
import { EventRefusedError, SessionClosedError, SessionConflictError } from '../errors.js'
import type { SessionEvent } from '../event.js'
import type { SessionLog } from '../store.js'
import { storeError } from './errors.js'
import { sealMark } from './format.js'
import type { Lease } from './lease.js'
import type { LogFile } from './log-file.js'
import { RecordBuffer } from './record-buffer.js'

/**
 * The writer's end of a log: decides when events go to the operating system and when to the device.
 *
 * G1 Events reach the operating system within 100 ms, runs of chunks within 1 s or 64 KB.
 * G2 Whoever waits for durability while an fsync runs shares the next one.
 * G3 A flush resolves only after a check, made after its fsync, that this writer is still the holder.
 * G4 What could not be written stays in order and is tried again, by the next flush or by itself.
 * G5 After a conflict nothing is written, ever.
 */

const eventDelayMs = 100
const chunkDelayMs = 1000
const retryDelayMs = 1000
const bufferBytes = 64 * 1024
const forcedSyncBytes = 4 * 1024 * 1024

/** What a log is written with. */
export interface LogWriterOptions {
  readonly sessionId: string
  readonly file: LogFile
  readonly lease: Lease
  readonly nextSeq: number
  readonly endsWithMark: boolean
  /** Whether a flush waits for the device. */
  readonly syncs: boolean
  /** Called once the first events of this writer are durable. */
  readonly settled: () => Promise<void>
}

export class LogWriter implements SessionLog {
  readonly #options: LogWriterOptions
  readonly #file: LogFile
  readonly #buffer = new RecordBuffer()
  #nextSeq: number
  /** The last seq on the device. */
  #syncedSeq: number
  #endsWithMark: boolean
  #settled = false
  #timer: { readonly handle: ReturnType<typeof setTimeout>; readonly due: number } | undefined
  /** The fsync that runs, and the one that those who came since will share. */
  #syncing: Promise<void> | undefined
  #gathering: Promise<void> | undefined
  #closing: Promise<void> | undefined
  #conflict: SessionConflictError | undefined

  constructor(options: LogWriterOptions) {
    this.#options = options
    this.#file = options.file
    this.#nextSeq = options.nextSeq
    this.#syncedSeq = options.nextSeq - 1
    this.#endsWithMark = options.endsWithMark
  }

  append(events: readonly SessionEvent[]): void {
    if (this.#conflict) throw this.#conflict
    if (this.#closing) throw new SessionClosedError(this.#options.sessionId)
    events.forEach((event, index) => assertFollows(event, this.#nextSeq + index))
    const mayWait = this.#take(events)
    this.#nextSeq += events.length
    if (this.#buffer.size >= bufferBytes) this.#writeByItself()
    else if (!this.#buffer.isEmpty) this.#schedule(mayWait ? chunkDelayMs : eventDelayMs)
  }

  #take(events: readonly SessionEvent[]): boolean {
    try {
      return this.#buffer.add(events)
    } catch (error) {
      if (HarnessError.is(error)) throw error
      const refused = { seq: this.#nextSeq, type: String(events[0]?.type), cause: error }
      throw new EventRefusedError(
        'INVALID_EVENT',
        `event ${refused.seq} must be JSON (${String(error)})`,
        refused,
      )
    }
  }

  async flush(): Promise<void> {
    if (this.#options.syncs) return this.#sync()
    this.#write(() => this.#file.assertUnchanged())
    this.#syncByItself()
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    try {
      await this.#syncing?.catch(() => undefined)
      await this.#sync()
      await this.#leaveMark()
    } catch (error) {
      if (!this.#conflict) {
        this.#closing = undefined
        throw error
      }
    }
    this.#cancelTimer()
    this.#file.close()
    await this.#options.lease.release()
    if (this.#conflict && this.#syncedSeq < this.#nextSeq - 1) throw this.#conflict
  }

  /** What tells the next opener that nothing was cut off behind the last event. */
  async #leaveMark(): Promise<void> {
    if (this.#endsWithMark) return
    try {
      this.#file.add(Buffer.from(sealMark(this.#syncedSeq)))
      this.#file.write()
      await this.#file.sync()
    } catch {
      // The events are safe, and a log without a mark is as good as one after a crash.
    }
  }

  /** Resolves once everything appended so far is on the device. */
  #sync(): Promise<void> {
    if (this.#conflict) return Promise.reject(this.#conflict)
    if (this.#syncedSeq === this.#nextSeq - 1) return Promise.resolve()
    this.#gathering ??= this.#gather()
    return this.#gathering
  }

  async #gather(): Promise<void> {
    await this.#syncing?.catch(() => undefined)
    // Whoever comes from here on may have appended after the write below.
    this.#gathering = undefined
    this.#syncing = this.#writeAndSync()
    try {
      await this.#syncing
    } finally {
      this.#syncing = undefined
    }
  }

  async #writeAndSync(): Promise<void> {
    const seq = this.#nextSeq - 1
    this.#write()
    try {
      await this.#file.sync()
    } catch (error) {
      // What was cut is in this process only, and may have been reported as written: it must not wait for the next flush.
      this.#writeByItself()
      throw this.#failed(error)
    }
    this.#syncedSeq = seq
    if (this.#settled) return
    this.#settled = true
    await this.#options.settled()
  }

  #write(andThen?: () => void): void {
    if (this.#conflict) throw this.#conflict
    this.#cancelTimer()
    if (!this.#buffer.isEmpty) this.#endsWithMark = false
    this.#file.add(this.#buffer.take(this.#syncedSeq))
    try {
      this.#file.write()
      andThen?.()
    } catch (error) {
      throw this.#failed(error)
    }
  }

  /** What nobody waits for fails quietly: the bytes are kept, and whoever flushes next is told. */
  #writeByItself(): void {
    try {
      this.#write()
    } catch {
      return
    }
    this.#syncByItself()
  }

  #syncByItself(): void {
    if (this.#file.unsyncedBytes >= forcedSyncBytes) void this.#sync().catch(() => undefined)
  }

  /** Draws the consequences of a failed file operation, and makes the error that the caller sees. */
  #failed(error: unknown): Error {
    if (error instanceof SessionConflictError) {
      this.#conflict = error
      this.#cancelTimer()
      return error
    }
    // A process that is done must not stay alive for a disk that may never work again.
    this.#schedule(retryDelayMs).unref()
    return storeError(
      `writing session "${this.#options.sessionId}" failed; its events are kept and written by the next flush that works`,
      error,
    )
  }

  #schedule(delayMs: number): ReturnType<typeof setTimeout> {
    const due = performance.now() + delayMs
    if (this.#timer && this.#timer.due <= due) return this.#timer.handle
    this.#cancelTimer()
    const handle = setTimeout(() => {
      this.#timer = undefined
      this.#writeByItself()
    }, delayMs)
    this.#timer = { handle, due }
    return handle
  }

  #cancelTimer(): void {
    clearTimeout(this.#timer?.handle)
    this.#timer = undefined
  }
}

/** Throws unless a log of `next` events can take the event. */
function assertFollows(event: SessionEvent, next: number): void {
  const { seq, time, type, data } = event as { seq: unknown; time: unknown; type: unknown; data: unknown }
  const refusal = { seq: next, type: String(type) }
  if (seq !== next) {
    throw new EventRefusedError(
      'SEQ_MISMATCH',
      `expected an event with seq ${next}, found ${String(seq)}`,
      refusal,
    )
  }
  if (!Number.isFinite(time) || typeof type !== 'string' || data === undefined) {
    throw new EventRefusedError('INVALID_EVENT', `event ${next} must have a time, a type and data`, refusal)
  }
}
