import { type Dispatched } from './call-stages.js'
import { type Run, type Slot, fail } from './run.js'
import { dropRejection, isThenable } from './thenable.js'

/** What is wrong with a stage's answer, if its kind does not say how the call goes on. */
export function wrongAnswer(stage: string, answer: { readonly kind: string }): TypeError | undefined {
  const kind: unknown = (answer as { readonly kind: string } | null | undefined)?.kind
  if (kind === 'post-result' || kind === 'final-result') return undefined
  if (stage === 'prepare' && kind === 'dispatch') return undefined
  const kinds =
    stage === 'prepare' ? "'dispatch', 'post-result' or 'final-result'" : "'post-result' or 'final-result'"
  return new TypeError(`${stage} must answer an object with kind ${kinds}, found kind ${String(kind)}`)
}

/**
 * Takes in what a stage says became of a call. The latest word before the commit begins is what commits; the truth
 * that comes after goes to `journal.late`, once, when the commit has ended (S11).
 */
export function learn<Call, Execution, Settled, Result>(
  run: Run<Call, Execution, Settled, Result>,
  slot: Slot<Call, Execution, Settled>,
  dispatched: Dispatched<Settled>,
): void {
  if (dispatched.late !== undefined) void follow(run, slot, dispatched.late)
  // A body that was abandoned can be heard of twice: from `dispatch` and from the `late` of the guess. Once is enough.
  if (slot.final) return
  slot.final = dispatched.late === undefined
  slot.phase = 'settled'
  slot.outcome = dispatched
  if (slot.commit === 'closed' && slot.final) void tellLate(run, slot)
}

/**
 * Asks what to commit for a call that was not dispatched, or did not settle in time. That is a guess: the slot, which
 * knows the truth only, does not take it in.
 */
export function abandon<Call, Execution, Settled, Result>(
  run: Run<Call, Execution, Settled, Result>,
  slot: Slot<Call, Execution, Settled>,
): Dispatched<Settled> {
  const answer = run.stages.abandon(slot.execution as Execution)
  if (isThenable(answer)) dropRejection(answer)
  const wrong = wrongAnswer('abandon', answer)
  if (wrong !== undefined) throw wrong
  if (answer.late !== undefined) void follow(run, slot, answer.late)
  return answer
}

async function follow<Call, Execution, Settled, Result>(
  run: Run<Call, Execution, Settled, Result>,
  slot: Slot<Call, Execution, Settled>,
  late: PromiseLike<Dispatched<Settled>>,
): Promise<void> {
  try {
    const dispatched = await late
    const wrong = wrongAnswer('late', dispatched)
    if (wrong !== undefined) throw wrong
    learn(run, slot, dispatched)
  } catch (error) {
    fail(run, error)
  }
  run.advance()
}

/** Tells the journal the truth about a call that is closed. The run does not end while the journal writes it down. */
export async function tellLate<Call, Execution, Settled, Result>(
  run: Run<Call, Execution, Settled, Result>,
  slot: Slot<Call, Execution, Settled>,
): Promise<void> {
  run.pendingLate += 1
  try {
    await run.journal.late?.(slot.call, slot.execution as Execution, slot.outcome as Dispatched<Settled>)
  } catch (error) {
    fail(run, error)
  }
  run.pendingLate -= 1
  run.advance()
}
