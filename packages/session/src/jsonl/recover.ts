import { join } from 'node:path'
import { SessionConflictError } from '../errors.js'
import type { RecoveredTail, SessionHeader } from '../store.js'
import { SessionCorruptError } from './errors.js'
import type { Lease, LeaseScope } from './lease.js'
import type { LogScan } from './log-scan.js'
import { logName, lostTailName, numbersAfter, tornName } from './names.js'
import { copyBytes, publishInstead, publishNew, readSmall, removeQuietly, writeAll } from './publish.js'

/**
 * Turns a log that was read into a file that can be appended to.
 *
 * R1 Nothing is changed when the log is corrupt.
 * R2 What is cut off is kept, durably, before it is cut.
 * R3 That a cut may have lost events is noted in a file of its own before the cut, and reported by every open until the
 *    first events of a new writer are durable: a crash in between must not make the loss look like a plain tear.
 * R4 The log of a holder who was forced aside is never touched: its good part is copied.
 */

/** A log whose last byte ends a good record. */
export interface MendedLog extends OpenLog {
  readonly header: SessionHeader
  readonly recovered?: RecoveredTail
}

interface OpenLog {
  /** Open for appending; everything in it is fsynced. */
  readonly file: number
  readonly size: number
}

/** Makes the log `name`, read by `scan`, ready for the holder of `lease`. */
export async function mendLog(
  scope: LeaseScope,
  lease: Lease,
  { name, scan }: { readonly name: string; readonly scan: LogScan },
): Promise<MendedLog> {
  const verdict = scan.verdict()
  if (verdict.kind === 'corrupt') {
    const damage = { ...verdict.damage, goodEvents: scan.position.nextSeq }
    throw new SessionCorruptError(scope.id, join(scope.directory, name), damage)
  }
  const log = { name, goodEnd: scan.position.offset, end: scan.end }
  const newlineMissing = verdict.kind === 'sound' && verdict.newlineMissing
  const crashTear = verdict.kind === 'sound' || verdict.crashTear
  const movedTo = lease.forced ? name : await keepTail(scope, log)
  const recovered = await noteLoss(scope, { bytes: log.end - log.goodEnd, movedTo, crashTear })
  const mended = lease.forced
    ? await copyLog(scope, { ...log, newlineMissing, copy: logName(scope.id, lease.generation) })
    : await cutLog(scope, { ...log, newlineMissing })
  return { ...mended, header: verdict.header, ...(recovered && { recovered }) }
}

/** Notes that events which were reported as written may be missing from the session. */
export async function writeLossNote(
  { files, directory, id }: LeaseScope,
  loss: RecoveredTail,
): Promise<void> {
  await publishInstead(files, { directory, name: lostTailName(id) }, JSON.stringify(loss))
}

/** Forgets the loss that was noted, once the log itself tells of it. */
export function removeLossNote({ files, directory, id }: LeaseScope): void {
  removeQuietly(files, join(directory, lostTailName(id)))
}

interface Log {
  readonly name: string
  /** Where the last good record ends. */
  readonly goodEnd: number
  readonly end: number
}

/** Keeps what follows the good part in a file of its own. */
async function keepTail({ files, directory, id }: LeaseScope, log: Log): Promise<string> {
  if (log.goodEnd === log.end) return log.name
  const count = numbersAfter(files.names(directory), tornName(id, 0).slice(0, -1)).at(-1) ?? 0
  const from = files.open(join(directory, log.name), 'read')
  try {
    for (let number = count + 1; ; number++) {
      const name = tornName(id, number)
      const kept = await publishNew(files, { directory, name }, to =>
        copyBytes(files, { from, to }, { start: log.goodEnd, end: log.end }),
      )
      if (kept) return name
    }
  } finally {
    files.close(from)
  }
}

async function noteLoss(
  scope: LeaseScope,
  cut: { readonly bytes: number; readonly movedTo: string; readonly crashTear: boolean },
): Promise<RecoveredTail | undefined> {
  const earlier = await readLossNote(scope)
  if (cut.bytes === 0) return earlier
  const { bytes, movedTo } = cut
  if (cut.crashTear && !earlier) return { bytes, movedTo }
  const loss = { bytes, movedTo, lostTail: true } as const
  await writeLossNote(scope, loss)
  return loss
}

async function readLossNote({ files, directory, id }: LeaseScope): Promise<RecoveredTail | undefined> {
  const text = await readSmall(files, join(directory, lostTailName(id)))
  return text === undefined ? undefined : (JSON.parse(text) as RecoveredTail)
}

async function cutLog(
  { files, directory, id }: LeaseScope,
  { name, goodEnd, end, newlineMissing }: Log & { readonly newlineMissing: boolean },
): Promise<OpenLog> {
  const file = files.open(join(directory, name), 'append')
  try {
    const { size } = files.facts(file)
    if (size !== end) throw new SessionConflictError(id, `its file grew to ${size} bytes while it was read`)
    if (goodEnd < end) files.truncate(file, goodEnd)
    if (newlineMissing) writeAll(files, file, Buffer.from('\n'))
    // Bytes of an earlier process may be in memory only, and `synced` is about to vouch for them.
    await files.sync(file)
  } catch (error) {
    files.close(file)
    throw error
  }
  return { file, size: goodEnd + (newlineMissing ? 1 : 0) }
}

async function copyLog(
  scope: LeaseScope,
  log: Log & { readonly newlineMissing: boolean; readonly copy: string },
): Promise<OpenLog> {
  const { files, directory, id } = scope
  const from = files.open(join(directory, log.name), 'read')
  try {
    const published = await publishNew(files, { directory, name: log.copy }, async to => {
      await copyBytes(files, { from, to }, { start: 0, end: log.goodEnd })
      if (log.newlineMissing) writeAll(files, to, Buffer.from('\n'))
    })
    if (!published) throw new SessionConflictError(id, `${log.copy} exists already`)
  } finally {
    files.close(from)
  }
  const file = files.open(join(directory, log.copy), 'append')
  return { file, size: log.goodEnd + (log.newlineMissing ? 1 : 0) }
}
