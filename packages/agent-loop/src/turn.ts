import { toLlmFailure } from '@agent-spine/model'
import { interruptedTurnClosers, needsRepair } from '@agent-spine/repair'
import type { AbortCause, Session, TurnEndReason } from '@agent-spine/session'
import { hookLayers, runHooks, type StopDecision } from './hooks.js'
import { userMessage } from './input.js'
import type { Loop, Turn } from './loop.js'
import { enterStep, runStep, type StepNeed, type StepResult } from './step.js'
import { turnOutcome, withoutTurn, type TurnOutcome } from './turn-outcome.js'

/** What the driver learns of a turn. */
export interface TurnReport {
  readonly outcome: TurnOutcome
  /** Going on cannot repeat this turn: its input left the inbox, or was gone. */
  readonly tookInput: boolean
  /** The input that the turn looked at, by `inboxId`. */
  readonly looked: ReadonlySet<string>
}

/**
 * One turn, from `turn/start` to `turn/end`. Never rejects.
 *
 * T1. A turn that wrote `turn/start` writes `turn/end`, whatever happened between.
 * T2. Aborted outranks error: an error after the cancel is a consequence of it and is not told.
 * T3. Any other error is told once. A log that cannot take `turn/end` is an error of its own.
 */
export async function runTurn(
  loop: Loop,
  signal: AbortSignal,
  abortCause: () => AbortCause | undefined,
): Promise<TurnReport> {
  const turn: Turn = {
    loop,
    turn: nextTurnNumber(loop.session),
    signal,
    looked: new Set(),
    tookInput: false,
    cut: false,
  }
  const outcome = await outcomeOf(turn, abortCause)
  return { outcome, tookInput: turn.tookInput, looked: turn.looked }
}

async function outcomeOf(turn: Turn, abortCause: () => AbortCause | undefined): Promise<TurnOutcome> {
  const { loop, signal } = turn
  try {
    repairOpenWork(loop.session)
    loop.session.append('turn/start', { turn: turn.turn, dispatchMarked: true })
  } catch (error) {
    return unwritten(turn, error)
  }
  let reason: TurnEndReason = { kind: 'completed' }
  let outcome: TurnOutcome
  try {
    reason = await runSteps(turn)
  } catch (error) {
    reason = failed(error)
    if (!signal.aborted) loop.emit({ type: 'error', error })
  } finally {
    const cause = abortCause()
    outcome = endTurn(turn, cause === undefined ? reason : { kind: 'aborted', cause })
  }
  return outcome
}

function endTurn(turn: Turn, reason: TurnEndReason): TurnOutcome {
  const { session } = turn.loop
  try {
    const { seq } = session.append('turn/end', { turn: turn.turn, reason })
    return turnOutcome(session.events, seq)
  } catch (error) {
    return unwritten(turn, error)
  }
}

/** Steps until nothing is left to do. */
async function runSteps(turn: Turn): Promise<TurnEndReason> {
  const { loop } = turn
  let need: StepNeed = 'user-input'
  for (let number = 0; number < loop.maxSteps; number++) {
    const step = { turn, scope: { turn: turn.turn, step: number }, compactions: 0 }
    const entered = await enterStep(step, need)
    if (entered === 'blocked') return { kind: 'blocked' }
    if (entered === 'empty') return stopped(turn)
    const result = await runStep(step)
    turn.signal.throwIfAborted()
    const next = await nextNeed(turn, number, result)
    if (next === undefined) return stopped(turn)
    need = next
  }
  return { kind: 'max-steps' }
}

/** What the next step would be for: calls to answer, steering, or what a hook asks. `undefined`: the turn may stop. */
async function nextNeed(
  turn: Turn,
  step: number,
  { calls, concluded }: StepResult,
): Promise<StepNeed | undefined> {
  const { loop, signal } = turn
  if (calls > 0 && !concluded) return 'nothing'
  if (loop.inbox.extendsTurn()) return 'any-input'
  const context = { turn: turn.turn, step, session: loop.session, signal }
  const decision = await runHooks(hookLayers(loop.hooks, 'turnStopping'), context, () =>
    Promise.resolve<StopDecision>({ kind: 'stop' }),
  )
  signal.throwIfAborted()
  if (decision.kind === 'continue') {
    const source = { kind: 'plugin', name: 'turn-stopping' } as const
    loop.inbox.insert('next-step', userMessage(loop.newId(), source, decision.message))
    return 'any-input'
  }
  return loop.inbox.extendsTurn() ? 'any-input' : undefined
}

/** `max-tokens` is sticky: a turn with an answer that was cut does not end as if it had been complete. */
function stopped({ cut }: Turn): TurnEndReason {
  return { kind: cut ? 'max-tokens' : 'completed' }
}

/** Closes what a crash or a failure left open, so that what follows is legal and true. */
export function repairOpenWork(session: Session): void {
  if (needsRepair(session.events)) session.appendAll(interruptedTurnClosers(session.events))
}

function nextTurnNumber({ events }: Session): number {
  return (events.findLast(event => event.type === 'turn/start')?.data.turn ?? -1) + 1
}

function failed(error: unknown): TurnEndReason {
  return { kind: 'error', failure: toLlmFailure(error) }
}

function unwritten({ loop }: Turn, error: unknown): TurnOutcome {
  loop.emit({ type: 'error', error })
  return withoutTurn(failed(error))
}
