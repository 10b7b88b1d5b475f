import type { FileLayer } from './file-layer.js'

/** A line of a file. Its bytes are valid until the next piece is read. */
export interface Line {
  /** Without the newline; nothing where the line is longer than any record. */
  readonly bytes: Buffer | undefined
  /** Where it begins in the file. */
  readonly offset: number
  /** Where the next begins. */
  readonly end: number
  readonly terminated: boolean
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
  const piece = Buffer.allocUnsafe(pieceBytes)
  const splitter = new LineSplitter(offset)
  let position = offset
  for (;;) {
    const count = await files.read(file, piece, position)
    if (count === 0) break
    position += count
    yield splitter.push(piece.subarray(0, count))
  }
  const rest = splitter.rest()
  if (rest) yield [rest]
}

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
    for (let at = piece.indexOf(newline); at >= 0; at = piece.indexOf(newline, start)) {
      lines.push(this.#line(piece.subarray(start, at), true))
      start = at + 1
    }
    if (start < piece.length) this.#keep(piece.subarray(start))
    return lines
  }

  /** What follows the last newline. */
  rest(): Line | undefined {
    return this.#begunBytes === 0 ? undefined : this.#line(Buffer.alloc(0), false)
  }

  #line(last: Buffer, terminated: boolean): Line {
    const offset = this.#offset
    const end = offset + this.#begunBytes + last.length + (terminated ? 1 : 0)
    const bytes =
      end - offset > longestRecordBytes
        ? undefined
        : this.#begun.length === 0
          ? last
          : Buffer.concat([...this.#begun, last])
    this.#offset = end
    this.#begun = []
    this.#begunBytes = 0
    return { bytes, offset, end, terminated }
  }

  #keep(bytes: Buffer): void {
    this.#begunBytes += bytes.length
    if (this.#begunBytes > longestRecordBytes) this.#begun = []
    else this.#begun.push(Buffer.from(bytes))
  }
}
