import { defineValue } from '@agent-spine/schema'
import { type EventDraft, type Session, type SessionEvent } from '@agent-spine/session'

/** What a run was started with, so that it can be resumed by its id alone. */
export interface RunSettings {
  /** Absolute. */
  readonly workspace: string
  readonly model: string
}

const eventType: string = 'agent-spine/settings'

const settings = defineValue({
  type: 'object',
  additionalProperties: true,
  properties: {
    workspace: { type: 'string', required: true },
    model: { type: 'string', required: true },
  },
})

/** Keeps the settings in the session's own log. Readers that do not know the event skip it. */
export function recordSettings(session: Session, { workspace, model }: RunSettings): void {
  // The type is this command's own: the compiler knows only the events of every session.
  const draft = { type: eventType, data: { workspace, model }, ignorable: true } as unknown as EventDraft
  session.appendAll([draft])
}

/** The latest settings in a log; `undefined` in one that this command did not start. */
export function settingsIn(events: readonly SessionEvent[]): RunSettings | undefined {
  const data: unknown = events.findLast(({ type }) => type === eventType)?.data
  return settings.check(data) ? data : undefined
}
