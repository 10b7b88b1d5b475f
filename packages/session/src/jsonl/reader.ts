import type { SessionEvent } from '../event.js'
import type { SessionHeader } from '../store.js'
import { SessionCorruptError } from './errors.js'
import type { FileLayer } from './file-layer.js'
import { readLines } from './lines.js'
import { LogScan, startOfLog } from './log-scan.js'

/** A log file and the session it should hold. */
export interface LogPath {
  readonly files: FileLayer
  readonly path: string
  readonly id: string
}

/** Everything of a log up to its first damage, and the scan that knows about the damage. */
export async function readLog(log: LogPath): Promise<{ scan: LogScan; events: SessionEvent[] }> {
  const scan = new LogScan(log.id)
  const events: SessionEvent[] = []
  const file = log.files.open(log.path, 'read')
  try {
    for await (const lines of readLines(log.files, file)) {
      for (const line of lines) for (const event of scan.feed(line)) events.push(event)
    }
  } finally {
    log.files.close(file)
  }
  return { scan, events }
}

/** Reads a log's events while somebody may be writing to it. Ends where the last whole record ends. */
export async function* readEvents(log: LogPath): AsyncGenerator<SessionEvent> {
  const file = log.files.open(log.path, 'read')
  try {
    for (let from = startOfLog; ;) {
      const scan = new LogScan(log.id, from)
      for await (const lines of readLines(log.files, file, { offset: from.offset })) {
        for (const line of lines) yield* scan.feed(line)
      }
      const verdict = scan.verdict()
      if (verdict.kind === 'sound') return
      // A writer that cut and rewrote its last bytes meanwhile looks like damage once, not twice.
      if (scan.position.offset === from.offset) {
        if (verdict.kind === 'torn' && verdict.crashTear) return
        throw new SessionCorruptError(log.id, log.path, { ...verdict.damage, goodEvents: from.nextSeq })
      }
      from = scan.position
    }
  } finally {
    log.files.close(file)
  }
}

/** More than any header takes. */
const headerBytes = 4096

/** Reads no more than the header. */
export async function readHeader(log: LogPath): Promise<SessionHeader> {
  const scan = new LogScan(log.id)
  const file = log.files.open(log.path, 'read')
  try {
    for await (const [line] of readLines(log.files, file, { pieceBytes: headerBytes })) {
      if (line) scan.feed(line)
      break
    }
  } finally {
    log.files.close(file)
  }
  if (scan.position.header) return scan.position.header
  const verdict = scan.verdict()
  const found = verdict.kind === 'corrupt' && scan.end > 0 ? verdict.damage.found : 'no whole line'
  throw new SessionCorruptError(log.id, log.path, { found, line: 1, offset: 0, goodEvents: 0 })
}
