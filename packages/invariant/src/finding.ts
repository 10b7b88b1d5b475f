import { LlmError } from '@agent-spine/model'

/** What kind of rule a finding breaks. */
export type FindingCode =
  // Log relations
  | 'SEQ_ORDER'
  | 'CITATION'
  | 'TURN_ORDER'
  | 'STEP_ORDER'
  | 'STEP_SCOPE'
  | 'ATTEMPT_ORDER'
  | 'CHUNK_CITATION'
  | 'CALL_ID'
  | 'CALL_UNKNOWN'
  | 'CALL_ORDER'
  | 'CALL_ALTERED'
  | 'RESULT_REPEATED'
  | 'RESULT_ORDER'
  | 'RESULT_CITATION'
  | 'BATCH_SPLIT'
  | 'SURFACE_RANGE'
  // What `classifyLog` reports as open
  | 'OPEN_TURN'
  | 'OPEN_STEP'
  | 'OPEN_ATTEMPT'
  | 'OPEN_CALL'
  // Requests
  | 'LOG_RECONSTRUCTION_DESYNC'
  | 'HEADER_DESYNC'
  | 'SESSION_MISMATCH'
  | 'REQUEST_NOT_FROZEN'
  // Provider legality
  | 'CALL_UNANSWERED'
  | 'RESULT_UNEXPECTED'
  | 'CALL_ARGUMENTS'
  | 'CALL_PLACE'
  | 'EMPTY_MESSAGE'
  | 'EMPTY_TEXT'
  | 'FIRST_MESSAGE'

/** One broken rule. */
export interface Finding {
  readonly code: FindingCode
  /** The event that breaks it. For a request, the event its message or header should have come from. */
  readonly seq: number
  /** What was expected, what was found. */
  readonly message: string
}

/** A rule that an event breaks, before it is known as a finding: what kind, and in words. */
export type Problem = readonly [FindingCode, string]

/**
 * What a guard does with findings. `on` sees each one, whatever the policy.
 *
 * - `throw` (the default): an {@link LlmError} with code `INVARIANT_VIOLATION`, before the event or request goes on.
 * - `warn`: `console.warn`, and the event or request goes on.
 * - `collect`: nothing but `on`.
 */
export type FindingOptions =
  | { readonly policy?: 'throw' | 'warn'; readonly on?: (finding: Finding) => void }
  | { readonly policy: 'collect'; readonly on: (finding: Finding) => void }

/** Does with `findings` what the options say. */
export function report(findings: readonly Finding[], { policy = 'throw', on }: FindingOptions): void {
  const [first, ...more] = findings
  if (first === undefined) return
  for (const finding of findings) on?.(finding)
  if (policy === 'warn') for (const finding of findings) console.warn(describe(finding))
  if (policy !== 'throw') return
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`
  throw new LlmError('INVARIANT_VIOLATION', `${describe(first)}${others}`)
}

function describe({ code, seq, message }: Finding): string {
  return `${code} at seq ${seq}: ${message}`
}
