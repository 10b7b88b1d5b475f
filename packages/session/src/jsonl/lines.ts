import type { FileLayer } from './file-layer.js'
import type { Span } from './format.js'

/** A line of a file, without its newline. Its span is valid until the next piece is read. */
export interface Line extends Span {
  /** Where it begins in the file. */
  readonly offset: number
  readonly terminated: boolean
  /** Longer than any record; then its span is empty. */
  readonly overlong: boolean
  /** Where the next begins. */
  readonly end: number
}

/** The longest record, newline included: what a JavaScript string can hold. */
export const longestRecordBytes = 256 * 1024 * 1024

const newline = 0x0a

/** Reads an open file's lines from `offset` to its end, a piece of the file at a time. */
export async function* readLines(
  files: FileLayer,
  file: number,
  { offset = 0, pieceBytes = 1024 * 1024 } = {},
): AsyncGenerator<readonly Line[]> {
  const rest = files.facts(file).size - offset
  const piece = Buffer.allocUnsafe(Math.min(pieceBytes, Math.max(rest, 0) + 1))
  const splitter = new LineSplitter(offset)
  let position = offset
  for (;;) {
    const count = await files.read(file, piece, position)
    if (count === 0) break
    position += count
    yield splitter.push(piece.subarray(0, count))
  }
  const unterminated = splitter.rest()
  if (unterminated) yield [unterminated]
}

const empty = Buffer.alloc(0)
const nothing: Span = { buffer: empty, start: 0, stop: 0 }

class LineSplitter {
  #begun: Buffer[] = []
  #begunBytes = 0
  #offset: number

  constructor(offset: number) {
    this.#offset = offset
  }

  push(piece: Buffer): readonly Line[] {
    const lines: Line[] = []
    let start = 0
    for (let stop = piece.indexOf(newline); stop >= 0; stop = piece.indexOf(newline, start)) {
      lines.push(this.#line({ buffer: piece, start, stop }, true))
      start = stop + 1
    }
    if (start < piece.length) this.#keep(piece.subarray(start))
    return lines
  }

  /** What follows the last newline. */
  rest(): Line | undefined {
    return this.#begunBytes === 0 ? undefined : this.#line(nothing, false)
  }

  #line(last: Span, terminated: boolean): Line {
    const offset = this.#offset
    const length = this.#begunBytes + last.stop - last.start
    const overlong = length >= longestRecordBytes
    const { buffer, start, stop } = this.#begunBytes === 0 ? last : overlong ? nothing : this.#joined(last)
    const end = offset + length + (terminated ? 1 : 0)
    this.#offset = end
    this.#begun = []
    this.#begunBytes = 0
    return { buffer, start, stop, offset, terminated, overlong, end }
  }

  #joined(last: Span): Span {
    const buffer = Buffer.concat([...this.#begun, last.buffer.subarray(last.start, last.stop)])
    return { buffer, start: 0, stop: buffer.length }
  }

  #keep(bytes: Buffer): void {
    this.#begunBytes += bytes.length
    if (this.#begunBytes > longestRecordBytes) this.#begun = []
    else this.#begun.push(Buffer.from(bytes))
  }
}
