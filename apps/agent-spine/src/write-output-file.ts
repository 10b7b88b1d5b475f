import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname, join, basename } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CommandError } from './command-error.js'
import { type Output } from './output/output.js'

/**
 * Writes a file whole or not at all, readable by its owner only: what a session holds is nobody else's business. Answers
 * its size. @throws CommandError `OUT_NOT_WRITABLE`
 */
export async function writeOutputFile(file: string, pieces: Iterable<string>): Promise<number> {
  const temporary = join(dirname(file), `.${basename(file)}.${crypto.randomUUID().slice(0, 8)}.tmp`)
  let bytes = 0
  function* encoded() {
    for (const piece of pieces) {
      const chunk = Buffer.from(piece)
      bytes += chunk.length
      yield chunk
    }
  }
  try {
    await pipeline(Readable.from(encoded()), createWriteStream(temporary, { flags: 'wx', mode: 0o600 }))
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    const found = error instanceof Error ? error.message : String(error)
    throw new CommandError('OUT_NOT_WRITABLE', `expected to write ${file}, found: ${found}`, {
      hint: 'name a file in a directory that exists and that you may write to: --out FILE; or print it: --out -',
      cause: error,
    })
  }
  return bytes
}

/** Prints the pieces, no faster than the reader takes them. */
export async function printPieces(stdout: Output, pieces: Iterable<string>): Promise<void> {
  for (const piece of pieces) {
    if (stdout.closed.aborted) return
    stdout.write(piece)
    await stdout.ready()
  }
}
