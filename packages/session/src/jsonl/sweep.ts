import { join } from 'node:path'
import { isLit } from './beacon.js'
import type { FileLayer } from './file-layer.js'
import { removeQuietly } from './publish.js'

/**
 * Removes what processes that were killed left half-made in a session directory: temporary files, and sockets.
 *
 * S1 Only files under names that this store makes up, and only old ones: a temporary file lives for as long as one file
 *    is written, and a socket that is being made refuses connections for an instant.
 * S2 A socket goes only if nobody answers at it. The kernel answers for a holder that is paused or busy, too.
 * S3 Nobody is harmed where that is wrong all the same: whoever still writes a temporary file fails to name it, and is
 *    told so; whoever lost its socket before it had published its lock holds nothing (rule W1).
 */
const leftover = /^\.(tmp|sock)-[0-9a-f]{16}$/
const oldMs = 60 * 60 * 1000

export async function sweepLeftovers(files: FileLayer, directory: string, now = Date.now()): Promise<void> {
  for (const name of files.names(directory)) {
    const kind = leftover.exec(name)?.[1]
    if (kind === undefined) continue
    const path = join(directory, name)
    const facts = files.factsAt(path)
    if (!facts || now - facts.modifiedAt < oldMs) continue
    if (kind === 'sock' && (await isLit(directory, name))) continue
    removeQuietly(files, path)
  }
}
