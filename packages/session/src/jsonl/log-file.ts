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
  /** While a cut is due: how long the file may be at most. */
  #overhang: number | undefined

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
      this.#cutBack(this.#size + all.length)
      throw error
    }
    this.#size += all.length
    this.#unsynced.push(all)
    this.#unwritten = []
  }

  /** Brings what was written so far to the device. One at a time. */
  async sync(): Promise<void> {
    const count = this.#unsynced.length
    const synced = this.#size
    try {
      await this.#files.sync(this.#file)
    } catch (error) {
      this.#unwritten = [...this.#unsynced, ...this.#unwritten]
      this.#unsynced = []
      const size = this.#size
      this.#size = this.#syncedSize
      this.#cutBack(size)
      throw error
    }
    this.assertUnchanged()
    this.#unsynced.splice(0, count)
    this.#syncedSize = synced
  }

  /** Throws `SessionConflictError` when somebody else has the lease or wrote to the file. */
  assertUnchanged(): void {
    this.#assertHeld()
    const { size, links } = this.#files.facts(this.#file)
    if (links === 0) throw new SessionConflictError(this.#sessionId, 'its file was deleted')
    if (size < this.#size || size > (this.#overhang ?? this.#size)) {
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
    if (this.#overhang === undefined) return
    this.assertUnchanged()
    this.#files.truncate(this.#file, this.#size)
    this.#overhang = undefined
  }

  /** Cuts a file of at most `size` bytes to its good ones, now or before the next write. */
  #cutBack(size: number): void {
    this.#overhang = Math.max(size, this.#overhang ?? 0)
    try {
      this.#cut()
    } catch {
      // The failure that led here is the one to report.
    }
  }
}
