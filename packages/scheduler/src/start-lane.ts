import { type Preparation } from './call-stages.js'
import { admit } from './dispatch.js'
import { classify } from './execution-mode.js'
import { type Run, type Slot, fail, hasFailed } from './run.js'
import { dropRejection, isThenable } from './thenable.js'
import { learn, wrongAnswer } from './truth.js'

/** Whether the next call may be asked for its mode and, if the answer allows, be started now (S2–S5, S8, S9). */
export function startIsPossible<Call, Execution, Settled, Result>(
  run: Run<Call, Execution, Settled, Result>,
): boolean {
  if (run.starting || run.ending || run.started + run.skipped === run.calls.length) return false
  if (run.aborted || hasFailed(run)) return false
  return run.groupOpen ? run.inFlight < run.cap : run.front === undefined
}

/** Starts the next call, or closes the group before it. Where `prepare` answers at once, so does this. */
export function startNext<Call, Execution, Settled, Result>(
  run: Run<Call, Execution, Settled, Result>,
): void {
  run.starting = true
  try {
    const call = run.calls[run.started] as Call
    if (!run.groupOpen) run.cap = run.options.readMaxParallel()
    const mode = classify(run.stages, call)
    const cutsGroup = run.groupOpen && mode.kind === 'exclusive'
    run.groupOpen = mode.kind === 'parallel'
    // Reading the cap and the mode ran the caller's code, which may have aborted the run.
    if (!cutsGroup && !run.aborted) {
      noteStarted(run, call)
      const slot = openSlot(run, call, mode.kind === 'parallel' ? mode.key : undefined)
      const answer = run.stages.prepare(call, mode, run.prepareAbort.signal)
      if (isThenable(answer)) {
        void acceptLater(run, slot, answer)
        return
      }
      accept(run, slot, answer)
    }
  } catch (error) {
    fail(run, error)
  }
  run.starting = false
}

async function acceptLater<Call, Execution, Settled, Result>(
  run: Run<Call, Execution, Settled, Result>,
  slot: Slot<Call, Execution, Settled>,
  answer: PromiseLike<Preparation<Execution, Settled>>,
): Promise<void> {
  try {
    accept(run, slot, await answer)
  } catch (error) {
    fail(run, error)
  }
  run.starting = false
  run.advance()
}

function noteStarted<Call, Execution, Settled, Result>(
  run: Run<Call, Execution, Settled, Result>,
  call: Call,
): void {
  const journal: { started(call: Call): unknown } = run.journal
  const answer = journal.started(call)
  if (!isThenable(answer)) return
  dropRejection(answer)
  throw new TypeError(
    'journal.started must be synchronous, found a promise; write the start down before it returns',
  )
}

function openSlot<Call, Execution, Settled, Result>(
  run: Run<Call, Execution, Settled, Result>,
  call: Call,
  key: string | undefined,
): Slot<Call, Execution, Settled> {
  const slot: Slot<Call, Execution, Settled> = {
    call,
    key,
    execution: undefined,
    phase: 'starting',
    outcome: undefined,
    final: false,
    commit: 'open',
    error: undefined,
    next: undefined,
  }
  if (run.back === undefined) run.front = slot
  else run.back.next = slot
  run.back = slot
  run.started += 1
  return slot
}

function accept<Call, Execution, Settled, Result>(
  run: Run<Call, Execution, Settled, Result>,
  slot: Slot<Call, Execution, Settled>,
  preparation: Preparation<Execution, Settled>,
): void {
  const wrong = wrongAnswer('prepare', preparation)
  if (wrong !== undefined) throw wrong
  slot.execution = preparation.execution
  if (preparation.kind !== 'dispatch') learn(run, slot, preparation)
  else {
    slot.phase = 'waiting'
    admit(run, slot)
  }
}
