import { type RunEvent } from './run-event.js'

/** Shows a run to whoever started it. */
export interface Reporter {
  show(event: RunEvent): void
  /** Clears the way for a question to the person at the terminal; the returned function ends that. */
  pause(): () => void
  /** Leaves nothing half drawn and no timer. */
  end(): void
}
