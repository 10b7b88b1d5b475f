import type { SessionEvent } from '@agent-spine/session'
import type { Connection } from './page-state.js'

/** Follows the server of a live page, from the event `from` on. */
export function followServer(
  from: number,
  on: { events(events: readonly SessionEvent[]): void; connection(connection: Connection): void },
): void {
  const source = new EventSource(`events?from=${from}`)
  source.addEventListener('open', () => on.connection('following'))
  source.addEventListener('error', () => on.connection('lost'))
  source.addEventListener('events', ({ data }: MessageEvent<string>) =>
    on.events(JSON.parse(data) as SessionEvent[]),
  )
  source.addEventListener('reset', () => location.reload())
  source.addEventListener('end', () => {
    source.close()
    on.connection('ended')
  })
}
