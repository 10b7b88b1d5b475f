import { type Writable } from 'node:stream'

/** A stream that lines are written to, and whether somebody still reads them. */
export interface Output {
  readonly isTerminal: boolean
  /** Columns of the terminal; 80 where it does not say. */
  readonly columns: number
  /** Rows of the terminal; 24 where it does not say. */
  readonly rows: number
  /** Aborts once the reader is gone. What is written after that is dropped. */
  readonly closed: AbortSignal
  /** Why writing failed, where it is not that the reader left: a full disk, a broken device. Then `closed` aborts too. */
  readonly failure: Error | undefined
  /** Whether anything was written, now or before. */
  readonly isUsed: boolean
  write(text: string): void
  /** Resolves once the stream takes more without buffering it. */
  ready(): Promise<void>
  /** Resolves once everything written is with the reader, or the reader is gone. */
  drained(): Promise<void>
}

type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number }

const readerLeft: ReadonlySet<string | undefined> = new Set(['EPIPE', 'ECONNRESET'])

/** Wraps stdout or stderr. A reader that leaves (`… | head`) is an end, not an error. */
export function createOutput(stream: OutputStream): Output {
  const closed = new AbortController()
  let failure: Error | undefined
  let isUsed = false
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (!closed.signal.aborted && !readerLeft.has(error.code)) failure = error
    closed.abort()
  })
  return {
    get isTerminal() {
      return stream.isTTY === true
    },
    get columns() {
      return stream.columns || 80
    },
    get rows() {
      return stream.rows || 24
    },
    closed: closed.signal,
    get failure() {
      return failure
    },
    get isUsed() {
      return isUsed
    },
    write(text) {
      isUsed = true
      if (!closed.signal.aborted) stream.write(text)
    },
    ready: () => (stream.writableNeedDrain ? untilGone('drain') : Promise.resolve()),
    drained() {
      if (closed.signal.aborted) return Promise.resolve()
      const written = new Promise<void>(resolve => stream.write('', () => resolve()))
      return Promise.race([written, untilGone('close')])
    },
  }

  function untilGone(event: 'drain' | 'close'): Promise<void> {
    return new Promise(resolve => {
      const done = () => {
        for (const name of [event, 'close', 'error']) stream.off(name, done)
        resolve()
      }
      for (const name of [event, 'close', 'error']) stream.on(name, done)
    })
  }
}

/** A value as one line of NDJSON. */
export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`
}
