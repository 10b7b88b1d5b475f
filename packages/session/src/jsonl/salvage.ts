import { join } from 'node:path'
import { openRecord, openHeader, sealHeader } from './format.js'
import type { LeaseScope } from './lease.js'
import { readLines, type Line } from './lines.js'
import { currentLogs, logName } from './names.js'
import { firstSeq, unpackRecord } from './pack.js'
import { copyBytes, publishNew, writeAll } from './publish.js'
import { removeLossNote, writeLossNote } from './recover.js'

/** What {@link JsonlStore.salvage} saved, and what it could not. */
export interface SalvagedSession {
  /** The new session. The damaged one stays as it is. */
  readonly id: string
  /** How many events it has: seq 0 and up. */
  readonly events: number
  /** What of the damaged file is not in it; absent when nothing is missing. */
  readonly lost?: {
    readonly bytes: number
    readonly lines: number
    /** The first lost line, from 1, and where it begins, in bytes. */
    readonly line: number
    readonly offset: number
    /** What was found there. */
    readonly found: string
    /** The greatest seq that the damaged file knows of; events up to it are lost. Absent when all those are saved. */
    readonly lastSeq?: number
  }
}

/** Copies what is good of the log `name` to a new session: every record that continues the ones before it. */
export async function salvageLog(scope: LeaseScope, name: string): Promise<SalvagedSession> {
  const { files, directory } = scope
  const from = files.open(join(directory, name), 'read')
  try {
    const sorter = new LineSorter(scope.id)
    for await (const lines of readLines(files, from)) lines.forEach(line => sorter.add(line))
    const id = await publishGood(scope, { from, sorter, name })
    return { id, events: sorter.nextSeq, ...(sorter.lost && { lost: sorter.lost }) }
  } finally {
    files.close(from)
  }
}

async function publishGood(
  { files, directory, id }: LeaseScope,
  { from, sorter, name }: { readonly from: number; readonly sorter: LineSorter; readonly name: string },
): Promise<string> {
  for (let number = 1; ; number++) {
    const suffix = `.salvaged-${number}`
    const salvaged = { files, directory, id: id.slice(0, 128 - suffix.length) + suffix }
    if (currentLogs(files.names(directory)).has(salvaged.id)) continue
    if (sorter.lost)
      await writeLossNote(salvaged, { bytes: sorter.lost.bytes, movedTo: name, lostTail: true })
    const published = await publishNew(files, { directory, name: logName(salvaged.id) }, async to => {
      writeAll(files, to, Buffer.from(sealHeader({ id: salvaged.id, createdAt: sorter.createdAt })))
      for (const range of sorter.good) await copyBytes(files, { from, to }, range)
    })
    if (published) return salvaged.id
    removeLossNote(salvaged)
  }
}

/** Sorts the lines of a damaged log into good and lost ones. */
class LineSorter {
  readonly #id: string
  #lines = 0
  #lost: SalvagedSession['lost']
  #lastSeq = -1
  nextSeq = 0
  createdAt = 0
  /** Where the good records are, in bytes. */
  readonly good: { start: number; end: number }[] = []

  constructor(id: string) {
    this.#id = id
  }

  get lost(): SalvagedSession['lost'] {
    if (!this.#lost || this.#lastSeq < this.nextSeq) return this.#lost
    return { ...this.#lost, lastSeq: this.#lastSeq }
  }

  add(line: Line): void {
    this.#lines++
    const problem = this.#problem(line)
    if (problem === undefined) return
    const { bytes, lines } = this.#lost ?? { bytes: 0, lines: 0 }
    const first = this.#lost ?? { line: this.#lines, offset: line.offset, found: problem }
    this.#lost = { ...first, bytes: bytes + line.end - line.offset, lines: lines + 1 }
  }

  #problem(line: Line): string | undefined {
    const record = line.overlong ? 'a line that is longer than any record' : openRecord(line)
    if (typeof record === 'string') return record
    if (this.#lines === 1) {
      const header = openHeader(record, this.#id)
      if (typeof header === 'string') return header
      this.createdAt = header.createdAt
      return undefined
    }
    const events = unpackRecord(record.value, this.nextSeq)
    this.#lastSeq = Math.max(this.#lastSeq, record.synced ?? -1, firstSeq(record.value) ?? -1)
    if (typeof events === 'string') return events
    if (record.synced === undefined || record.synced >= this.nextSeq)
      return 'a record that knows of lost events'
    this.nextSeq += events.length
    const last = this.good.at(-1)
    if (last?.end === line.offset) last.end = line.end
    else this.good.push({ start: line.offset, end: line.end })
    return undefined
  }
}
