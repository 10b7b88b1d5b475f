import type { SessionEvent, StepScope } from './event.js'
import type { Refusal } from './refusal.js'

/**
 * Owns: which turn and step are open.
 *
 * B1 Turns do not overlap, steps lie within their turn and do not overlap, and numbers rise: turns over the log, steps
 *    over their turn.
 * B2 An event that names a step names the open one. Closers and `tool/late` are exempt: they speak of the past.
 */
export interface OpenScope {
  readonly turn: Opened | undefined
  readonly step: Opened | undefined
  readonly lastTurn: number
  readonly lastStep: number
}

interface Opened {
  readonly number: number
  /** Where it was opened. */
  readonly seq: number
}

export const noScope: OpenScope = { turn: undefined, step: undefined, lastTurn: -1, lastStep: -1 }

/** The scope after `event`: the same object where the event opens and closes nothing. Or why the event is out of place. */
export function nextScope(scope: OpenScope, event: SessionEvent): OpenScope | Refusal {
  switch (event.type) {
    case 'turn/start':
      return startTurn(scope, event.data.turn, event.seq)
    case 'step/start':
      return startStep(scope, event.data, event.seq)
    case 'step/end':
      return namesOpenStep(scope, event.data) ?? { ...scope, step: undefined }
    case 'turn/end':
      return endTurn(scope, event.data.turn)
    case 'attempt/start':
    case 'attempt/end':
    case 'assistant/chunk':
    case 'assistant/message':
    case 'tool/call':
    case 'tool/result':
    case 'tool/sub-call':
    case 'tool/sub-result':
      return event.closer === true ? scope : (namesOpenStep(scope, event.data) ?? scope)
    case 'tool/late':
    case 'tool/dispatch':
    case 'user/message':
    case 'inbox/spliced':
    case 'request/header':
    case 'session/owner':
    case 'session/end-seed':
      return scope
    default:
      return scope
  }
}

function startTurn(scope: OpenScope, turn: number, seq: number): OpenScope | Refusal {
  if (scope.turn !== undefined) {
    return refuse(`turn ${scope.turn.number} is still open (seq ${scope.turn.seq}): end it first`, scope.turn)
  }
  if (turn <= scope.lastTurn) {
    return refuse(`turn numbers rise: turn ${turn} cannot follow turn ${scope.lastTurn}`)
  }
  return { turn: { number: turn, seq }, step: undefined, lastTurn: turn, lastStep: -1 }
}

function startStep(scope: OpenScope, named: StepScope, seq: number): OpenScope | Refusal {
  if (scope.turn?.number !== named.turn) {
    return refuse(
      `step ${named.step} of turn ${named.turn} needs that turn to be open (open: ${openTurn(scope)})`,
    )
  }
  if (scope.step !== undefined) {
    return refuse(`step ${scope.step.number} is still open (seq ${scope.step.seq}): end it first`, scope.step)
  }
  if (named.step <= scope.lastStep) {
    return refuse(`step numbers rise: step ${named.step} cannot follow step ${scope.lastStep}`)
  }
  return { ...scope, step: { number: named.step, seq }, lastStep: named.step }
}

function endTurn(scope: OpenScope, turn: number): OpenScope | Refusal {
  if (scope.turn?.number !== turn) return refuse(`turn ${turn} is not open (open: ${openTurn(scope)})`)
  if (scope.step !== undefined) {
    return refuse(`step ${scope.step.number} is still open (seq ${scope.step.seq}): end it first`, scope.step)
  }
  return { ...scope, turn: undefined }
}

function namesOpenStep(scope: OpenScope, named: StepScope): Refusal | undefined {
  if (scope.step?.number === named.step && scope.turn?.number === named.turn) return undefined
  const open =
    scope.step === undefined ? 'none' : `step ${scope.step.number} of turn ${scope.turn?.number ?? '?'}`
  return refuse(`it names step ${named.step} of turn ${named.turn}, which is not open (open: ${open})`)
}

function openTurn(scope: OpenScope): string {
  return scope.turn === undefined ? 'none' : `turn ${scope.turn.number}`
}

function refuse(reason: string, conflict?: Opened): Refusal {
  return { code: 'STEP_NOT_OPEN', reason, ...(conflict !== undefined && { conflictSeq: conflict.seq }) }
}
