import { type Session, type SessionEvent } from '@agent-spine/session'

/** What a run was started with, so that it can be resumed by its id alone. */
export interface RunSettings {
  /** Absolute. */
  readonly workspace: string
  readonly model: string
  /** Where the provider is, where the person said so. It never holds a secret. */
  readonly baseUrl?: string
}

declare module '@agent-spine/session' {
  interface SessionEventMap {
    /** This command's own; readers that do not know it skip it. */
    'agent-spine/settings': RunSettings
  }
}

/** Keeps the settings in the session's own log. */
export function recordSettings(session: Session, settings: RunSettings): void {
  session.append('agent-spine/settings', settings, { ignorable: true })
}

/** The latest settings in a log; `undefined` in one that this command did not start. */
export function settingsIn(events: readonly SessionEvent[]): RunSettings | undefined {
  const event = events.findLast(({ type }) => type === 'agent-spine/settings')
  return event?.type === 'agent-spine/settings' ? event.data : undefined
}
