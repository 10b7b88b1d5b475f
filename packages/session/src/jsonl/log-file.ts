import { SessionConflictError } from '../errors.js'
import type { FileLayer } from './file-layer.js'
import { writeAll } from './publish.js'

/**
 * Writes bytes to the end of a log so that the file is always good bytes, or good bytes and a tail that this writer will cut.
 *
 * B1 A write is all or nothing: after a failed or short one, the file is cut to its last good byte.
 * B2 After a failed fsync nobody knows what the device holds, so the file is cut to its last fsynced byte.
 * B3 Bytes are kept until they are fsynced, and what was cut is written again unchanged.
 * B4 While cutting fails, nothing is written.
 * B5 Nothing is cut or written unless the lease is held and the file is as long as this writer left it.
 */
export class LogFile {
  readonly #files: FileLayer
  readonly #file: number
  readonly #sessionId: string
  readonly #assertHeld: () => void
  /** Bytes the file holds, and those of them that are fsynced. */
  #size: number
  #syncedSize: number
  /** What the file holds beyond `#syncedSize`, and what it does not hold yet. */
  #unsynced: Buffer[] = []
  #unwritten: Buffer[] = []
  #mustCut = false

  constructor(options: {
    readonly files: FileLayer
    /** Open for appending, fsynced. */
    readonly file: number
    readonly size: number
    readonly sessionId: string
    readonly assertHeld: () => void
  }) {
    this.#files = options.files
    this.#file = options.file
    this.#sessionId = options.sessionId
    this.#assertHeld = options.assertHeld
    this.#size = options.size
    this.#syncedSize = options.size
  }

  /** How many bytes were written since the last fsync. */
  get unsyncedBytes(): number {
    return this.#size - this.#syncedSize
  }

  /** Whether the file holds everything it was given. */
  get isWritten(): boolean {
    return this.#unwritten.length === 0
  }

  /** Takes bytes, which reach the file with the next {@link write}. */
  add(bytes: Buffer): void {
    if (bytes.length > 0) this.#unwritten.push(bytes)
  }

  /** Brings everything to the operating system. */
  write(): void {
    this.#cut()
    if (this.isWritten) return
    this.assertUnchanged()
    const all = Buffer.concat(this.#unwritten)
    try {
      writeAll(this.#files, this.#file, all)
    } catch (error) {
      this.#mustCut = true
      this.#cutQuietly()
      throw error
    }
    this.#size += all.length
    this.#unsynced.push(all)
    this.#unwritten = []
  }

  /** Brings what was written so far to the device. One at a time. */
  async sync(): Promise<void> {
    const count = this.#unsynced.length
    const size = this.#size
    try {
      await this.#files.sync(this.#file)
    } catch (error) {
      this.#unwritten = [...this.#unsynced, ...this.#unwritten]
      this.#unsynced = []
      this.#size = this.#syncedSize
      this.#mustCut = true
      this.#cutQuietly()
      throw error
    }
    this.assertUnchanged()
    this.#unsynced.splice(0, count)
    this.#syncedSize = size
  }

  /** Throws `SessionConflictError` when somebody else has the lease or wrote to the file. */
  assertUnchanged(): void {
    this.#assertHeld()
    const { size, links } = this.#files.facts(this.#file)
    if (links === 0) throw new SessionConflictError(this.#sessionId, 'its file was deleted')
    if (size !== this.#size && !this.#mustCut) {
      throw new SessionConflictError(
        this.#sessionId,
        `its file has ${size} bytes where this writer left ${this.#size}`,
      )
    }
  }

  close(): void {
    this.#files.close(this.#file)
  }

  #cut(): void {
    if (!this.#mustCut) return
    this.#assertHeld()
    this.#files.truncate(this.#file, this.#size)
    this.#mustCut = false
  }

  #cutQuietly(): void {
    try {
      this.#cut()
    } catch {
      // The failure that led here is the one to report; the next write cuts first.
    }
  }
}
