import type { AttemptScope, SessionEvent } from '@agent-spine/session'
import type { Problem } from './finding.js'

/**
 * Owns: what model calls leave in the log.
 *
 * A1. A step has one attempt at a time, numbered upwards, and none after its message. The end of the step ends it.
 * A2. Chunks belong to the attempt that is open and not yet assembled.
 * A3. A message cites exactly the chunks of its attempt, in order; a message without an attempt cites none.
 */
export interface Attempts {
  readonly current?: Attempt
}

interface Attempt extends AttemptScope {
  readonly seq: number
  readonly ended: boolean
  readonly assembled: boolean
  readonly lastChunk?: ChunkLink
}

/** The chunks of an attempt, last first: a new chunk costs one link and leaves earlier states as they were. */
interface ChunkLink {
  readonly seq: number
  readonly previous: ChunkLink | undefined
}

export const noAttempts: Attempts = {}

export function attemptProblem({ current }: Attempts, event: SessionEvent): Problem | undefined {
  switch (event.type) {
    case 'attempt/start': {
      const { attempt } = event.data
      if (current === undefined) return undefined
      if (!current.ended) return ['ATTEMPT_ORDER', `attempt ${current.attempt} is still open`]
      if (current.assembled)
        return ['ATTEMPT_ORDER', `attempt ${current.attempt} has given this step its message`]
      if (attempt > current.attempt) return undefined
      return ['ATTEMPT_ORDER', `expected an attempt after ${current.attempt}, found ${attempt}`]
    }
    case 'attempt/end':
      if (current !== undefined && !current.ended && isSame(current, event.data)) return undefined
      return ['ATTEMPT_ORDER', `attempt ${event.data.attempt} is not open`]
    case 'assistant/chunk': {
      const takesChunks = current !== undefined && !current.ended && !current.assembled
      if (takesChunks && isSame(current, event.data)) return undefined
      return [
        'ATTEMPT_ORDER',
        `a chunk of attempt ${event.data.attempt}, which is not open or has its message`,
      ]
    }
    case 'assistant/message': {
      if (current?.assembled === true) return ['ATTEMPT_ORDER', `attempt ${current.attempt} has its message`]
      return citesExactly(event.sourceEventSeqs ?? [], current?.lastChunk)
    }
    default:
      return undefined
  }
}

function citesExactly(cited: readonly number[], lastChunk: ChunkLink | undefined): Problem | undefined {
  let link = lastChunk
  for (let index = cited.length - 1; index >= 0; index--) {
    if (link?.seq !== cited[index]) {
      return [
        'CHUNK_CITATION',
        `it cites seq ${cited[index] ?? '?'}, which is no chunk of its attempt in order`,
      ]
    }
    link = link?.previous
  }
  if (link === undefined) return undefined
  return ['CHUNK_CITATION', `it does not cite seq ${link.seq}, a chunk of its attempt`]
}

function isSame(current: AttemptScope, named: AttemptScope): boolean {
  return current.turn === named.turn && current.step === named.step && current.attempt === named.attempt
}

export function nextAttempts(attempts: Attempts, event: SessionEvent): Attempts {
  const { current } = attempts
  switch (event.type) {
    case 'attempt/start':
      return { current: { ...event.data, seq: event.seq, ended: false, assembled: false } }
    case 'step/end':
      return noAttempts
    case 'assistant/chunk':
      if (current === undefined) return attempts
      return { current: { ...current, lastChunk: { seq: event.seq, previous: current.lastChunk } } }
    case 'attempt/end':
      return current === undefined ? attempts : { current: { ...current, ended: true } }
    case 'assistant/message':
      return current === undefined ? attempts : { current: { ...current, assembled: true } }
    default:
      return attempts
  }
}
