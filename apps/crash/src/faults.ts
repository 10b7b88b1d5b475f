/** Everything that must never happen. */
export const faultColumns = [
  /** A session that was reported as made, or was worked on, cannot be opened. */
  'sessionsLost',
  /** Events are missing, or others, that a flush had promised. */
  'eventsLost',
  /** Recovery suspects a loss, which a kill alone cannot cause. */
  'lossesSuspected',
  /** A result says that a body never ran that had run. */
  'notStartedButRan',
  /** A body ran, and no `tool/dispatch` says so. */
  'bodiesNotLogged',
  'callsRunTwice',
  /** A result without an error, of a body that did not end. */
  'resultsInvented',
  'inputsLost',
  'inputsDoubled',
  /** A request, or a conversation after repair, that some provider profile refuses. */
  'illegalRequests',
  /** What the invariant guards and the audit found. */
  'auditFindings',
  /** A process failed by itself, or did not come to an end when it was left alone. */
  'victimFailures',
] as const

export type FaultColumn = (typeof faultColumns)[number]

export interface Fault {
  readonly column: FaultColumn
  readonly message: string
}
