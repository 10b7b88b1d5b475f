import type { SessionEvent } from '@agent-spine/session'
import type { PageAbout } from '../page-document.js'

/** What the document holds, read as data and never as markup. */
export function readEmbedded(): { readonly about: PageAbout; readonly events: readonly SessionEvent[] } {
  const events: SessionEvent[] = []
  for (const block of document.querySelectorAll('script.events')) {
    for (const event of JSON.parse(block.textContent) as SessionEvent[]) events.push(event)
    block.remove()
  }
  const about = JSON.parse(document.getElementById('about')?.textContent ?? '{}') as PageAbout
  return { about, events }
}
