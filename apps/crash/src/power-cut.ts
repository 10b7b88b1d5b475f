import { existsSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import type { Evidence } from './evidence.js'
import { sessionId } from './orders.js'
import { drawCount, type Random } from './random.js'

interface Part {
  readonly seq?: number
  readonly chunks?: { readonly seq: number }
}

/**
 * Cuts the log anywhere behind what was promised to be durable, as a power cut may: a kill alone leaves nothing torn,
 * because the system finishes the writes that it was given. Returns whether there was anything to cut.
 */
export function cutPower(directory: string, evidence: readonly Evidence[], random: Random): boolean {
  const path = join(directory, `${sessionId}.jsonl`)
  if (!existsSync(path)) return false
  const promised = Math.max(-1, ...evidence.map(item => (item.kind === 'durable' ? item.seq : -1)))
  const bytes = readFileSync(path)
  let safe = 0
  for (let end = bytes.indexOf('\n') + 1; end > 0; end = bytes.indexOf('\n', safe) + 1) {
    // The header is complete before the file has its name.
    if (safe > 0 && firstSeq(bytes.toString('utf8', safe, end)) > promised) break
    safe = end
  }
  if (safe === bytes.length) return false
  truncateSync(path, drawCount(random, safe, bytes.length - 1))
  return true
}

/** The seq of the first event of a line; -1 for a mark, which comes after an fsync. */
function firstSeq(line: string): number {
  const record = JSON.parse(line) as Part & { readonly batch?: readonly Part[] }
  const part = record.batch?.[0] ?? record
  return part.chunks?.seq ?? part.seq ?? -1
}
