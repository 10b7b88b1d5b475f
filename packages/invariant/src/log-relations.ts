import type { SessionEvent } from '@agent-spine/session'
import { attemptProblem, nextAttempts, noAttempts, type Attempts } from './attempts.js'
import {
  citationProblem,
  nextBoundaries,
  noBoundaries,
  orderProblem,
  seqProblem,
  type Boundaries,
} from './boundaries.js'
import { callProblem, KnownIds, nextCalls, noCalls, type Calls } from './calls.js'
import type { Finding, Problem } from './finding.js'
import { replacedRange, Surface } from './surface.js'

/**
 * What a log has come to, as far as the next event's relations to it go. Reading an event on costs O(1), or O(open calls)
 * for an event of a call, or O(surface) for a surface replacement.
 */
export interface LogState {
  readonly boundaries: Boundaries
  readonly attempts: Attempts
  readonly calls: Calls
  readonly surface: Surface
}

export function emptyLog(): LogState {
  return { boundaries: noBoundaries, attempts: noAttempts, calls: noCalls(), surface: new Surface() }
}

/** What is wrong with `event` as the next one. */
export function relationFindings(
  { boundaries, attempts, calls, surface }: LogState,
  event: SessionEvent,
): Finding[] {
  const findings: Finding[] = []
  const add = (problem: Problem | undefined) => {
    if (problem !== undefined) findings.push({ code: problem[0], seq: event.seq, message: problem[1] })
  }
  add(seqProblem(boundaries, event))
  add(citationProblem(event))
  add(orderProblem(boundaries, event))
  add(attemptProblem(attempts, event))
  add(callProblem(calls, event))
  add(surface.rangeProblem(event))
  return findings
}

/** The state after `event`. `state` is used up; see {@link branch} to keep it. */
export function readOn(state: LogState, event: SessionEvent): LogState {
  state.surface.add(event)
  return {
    boundaries: nextBoundaries(state.boundaries, event),
    attempts: nextAttempts(state.attempts, event),
    calls: nextCalls(state.calls, event),
    surface: state.surface,
  }
}

/** A state that can read `batch` without touching `state`. */
export function branch(state: LogState, batch: readonly SessionEvent[]): LogState {
  const replaces = batch.some(event => replacedRange(event) !== undefined)
  return {
    ...state,
    calls: { ...state.calls, known: new KnownIds(state.calls.known) },
    // Only a replacement asks what is on the surface, so any other batch may read on over an empty one.
    surface: replaces ? state.surface.copy() : new Surface(),
  }
}
