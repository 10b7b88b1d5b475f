import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { SessionEvent } from '@agent-spine/session'
import { pageAssets, pageDocument, type PageAbout } from '../src/index.js'

/** Where pictures and measurements are kept for people to look at; ignored by git. */
export const artefacts = fileURLToPath(new URL('../artefacts', import.meta.url))

/** Writes the page of a log to a file of its own. Answers its address and its size. */
export async function writePage(
  events: readonly SessionEvent[],
  session = 'sample',
  more: Pick<PageAbout, 'damage'> = {},
): Promise<{ readonly url: string; readonly bytes: number }> {
  await mkdir(artefacts, { recursive: true })
  const file = join(await mkdtemp(join(tmpdir(), 'inspector-')), 'page.html')
  const text = [...pageDocument({ session, madeAt: 0, ...more }, events, pageAssets)].join('')
  await writeFile(file, text)
  return { url: pathToFileURL(file).href, bytes: Buffer.byteLength(text) }
}
