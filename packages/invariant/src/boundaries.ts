import type { SessionEvent, StepScope } from '@agent-spine/session'
import type { Problem } from './finding.js'

/**
 * Owns: the order of events and the boundaries they lie in.
 *
 * B1. Seqs count on by one; cited seqs ascend and lie before the event that cites them.
 * B2. Turns do not overlap, steps lie in their turn and do not overlap, and both are closed by an event that names them.
 *     Their numbers rise: turns over the log, steps over their turn.
 * B3. An event that names a step names the open one. Closers and `tool/late` speak of the past and are exempt.
 */
export interface Boundaries {
  readonly nextSeq: number
  readonly turn?: Opened
  readonly step?: Opened
  readonly lastTurn: number
  readonly lastStep: number
}

/** Something with a number, and the event that opened it. */
interface Opened {
  readonly number: number
  readonly seq: number
}

export const noBoundaries: Boundaries = { nextSeq: 0, lastTurn: -1, lastStep: -1 }

export function seqProblem(at: Boundaries, { seq }: SessionEvent): Problem | undefined {
  return seq === at.nextSeq ? undefined : ['SEQ_ORDER', `expected seq ${at.nextSeq}, found ${seq}`]
}

export function citationProblem({ seq, sourceEventSeqs }: SessionEvent): Problem | undefined {
  if (sourceEventSeqs === undefined) return undefined
  let last = -1
  for (const cited of sourceEventSeqs) {
    if (cited <= last || cited >= seq) {
      return ['CITATION', `expected ascending seqs before ${seq}, found ${cited} after ${last}`]
    }
    last = cited
  }
  return undefined
}

export function orderProblem(at: Boundaries, event: SessionEvent): Problem | undefined {
  switch (event.type) {
    case 'turn/start':
      if (at.turn !== undefined) return ['TURN_ORDER', `turn ${at.turn.number} is still open`]
      if (event.data.turn > at.lastTurn) return undefined
      return ['TURN_ORDER', `expected a turn after ${at.lastTurn}, found ${event.data.turn}`]
    case 'turn/end':
      if (at.turn?.number !== event.data.turn) return ['TURN_ORDER', `turn ${event.data.turn} is not open`]
      if (at.step === undefined) return undefined
      return ['TURN_ORDER', `step ${at.step.number} is still open`]
    case 'step/start':
      if (at.turn?.number !== event.data.turn) return ['STEP_ORDER', `turn ${event.data.turn} is not open`]
      if (at.step !== undefined) return ['STEP_ORDER', `step ${at.step.number} is still open`]
      if (event.data.step > at.lastStep) return undefined
      return ['STEP_ORDER', `expected a step after ${at.lastStep}, found ${event.data.step}`]
    case 'step/end':
      if (isOpenStep(at, event.data)) return undefined
      return ['STEP_ORDER', `step ${event.data.step} of turn ${event.data.turn} is not open`]
    case 'attempt/start':
    case 'attempt/end':
    case 'assistant/chunk':
    case 'assistant/message':
    case 'tool/call':
    case 'tool/result':
    case 'tool/sub-call':
    case 'tool/sub-result':
      if (event.closer === true || isOpenStep(at, event.data)) return undefined
      return ['STEP_SCOPE', `step ${event.data.step} of turn ${event.data.turn} is not open`]
    default:
      return undefined
  }
}

function isOpenStep(at: Boundaries, scope: StepScope): boolean {
  return at.turn?.number === scope.turn && at.step?.number === scope.step
}

export function nextBoundaries(at: Boundaries, event: SessionEvent): Boundaries {
  const { turn, lastTurn, lastStep } = at
  const nextSeq = event.seq + 1
  switch (event.type) {
    case 'turn/start': {
      const { turn: number } = event.data
      return { nextSeq, turn: { number, seq: event.seq }, lastTurn: number, lastStep: -1 }
    }
    case 'turn/end':
      return { nextSeq, lastTurn, lastStep }
    case 'step/start': {
      const { step: number } = event.data
      const inTurn = turn === undefined ? {} : { turn }
      return { nextSeq, ...inTurn, step: { number, seq: event.seq }, lastTurn, lastStep: number }
    }
    case 'step/end':
      return turn === undefined ? { nextSeq, lastTurn, lastStep } : { nextSeq, turn, lastTurn, lastStep }
    default:
      return { ...at, nextSeq }
  }
}
