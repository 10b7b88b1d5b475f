import type { SessionEvent } from '@agent-spine/session'
import type { Checks } from '../checks.js'
import { unpackInto, type PackedEvent } from '../packed-events.js'
import type { PageAbout } from '../page-document.js'

/** What the document holds, read as data and never as markup. */
export async function readEmbedded(): Promise<{
  readonly about: PageAbout
  readonly events: readonly SessionEvent[]
  readonly checks: Checks | undefined
}> {
  const events: SessionEvent[] = []
  for (const block of document.querySelectorAll<HTMLScriptElement>('script.events')) {
    const json = block.type === 'text/plain' ? await decompressed(block.textContent) : block.textContent
    for (const packed of JSON.parse(json) as PackedEvent[]) unpackInto(events, packed)
    block.remove()
  }
  const about = parsed('about') as PageAbout
  const checks = (parsed('checks') as Checks | null) ?? undefined
  return { about, events, checks }
}

function parsed(id: string): unknown {
  return JSON.parse(document.getElementById(id)?.textContent ?? 'null')
}

function decompressed(base64: string): Promise<string> {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index)
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).text()
}
