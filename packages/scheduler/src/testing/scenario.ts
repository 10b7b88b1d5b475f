import { type ExecutionMode } from '../execution-mode.js'

/** One stage of a scripted call: what it answers, and whether it does so at once or when it is settled by hand. */
export interface ScriptedStage<Answer> {
  readonly answer: Answer
  readonly when: 'at-once' | 'by-hand'
}

/** A call whose every stage follows a script. */
export interface ScriptedCall {
  readonly id: number
  /** What `mode` answers after 0, 1, 2… commits; the last one from then on. */
  readonly modes: readonly (ExecutionMode | 'fail')[]
  readonly started: 'return' | 'fail'
  readonly prepare: ScriptedStage<'dispatch' | 'post-result' | 'final-result' | 'fail'>
  /** `guess` answers with a `late`, which settles by hand. */
  readonly dispatch: ScriptedStage<'post-result' | 'final-result' | 'guess' | 'fail'>
  readonly late: 'post-result' | 'final-result' | 'fail'
  readonly abandon: 'post-result' | 'final-result' | 'fail'
  /** `finalize` or `finish`, whichever it comes to. */
  readonly end: ScriptedStage<'return' | 'fail'>
  readonly committed: ScriptedStage<'return' | 'fail'>
  readonly skipped: ScriptedStage<'return' | 'fail'>
  readonly tellLate: ScriptedStage<'return' | 'fail'>
}

/** A batch of scripted calls and the options to run it with. */
export interface Scenario {
  readonly calls: readonly ScriptedCall[]
  /** The cap of the first, second, third… group; the last one from then on. */
  readonly maxParallel: readonly number[]
  readonly abortGraceMs: number
  /** Aborts from inside the stage with this label, such as `prepare 3`, as it begins. */
  readonly abortIn?: string | undefined
}

/** A stage that waits to be settled by hand: `prepare 0`, `dispatch 0`, `late 0`, `finalize 0`, `committed 0`, … */
export type PendingStage = `${string} ${number}`

/** What a person outside the scheduler can do: settle a pending stage, abort, or let the grace run out. */
export type Stimulus = PendingStage | 'abort' | 'grace'

/** All that can be seen of a run at rest. */
export interface View {
  /** Starts and ends, in the order in which they happened: `mode 0`, `started 0`, `prepare 0`, `finish 0 body`, … */
  readonly ordered: readonly string[]
  /** The bodies that were called, in order. */
  readonly dispatched: readonly string[]
  /** The calls of `abandon`, in order. */
  readonly abandoned: readonly string[]
  /** What the journal was told late. */
  readonly late: readonly string[]
  /** The stages that wait to be settled by hand, sorted. */
  readonly pending: readonly PendingStage[]
  /** `pending`, `resolved …` or `rejected …`. */
  readonly outcome: string
  /** What `journal.failed` was told, one line a fact. */
  readonly report: readonly string[]
  /** Whether the grace timer runs. */
  readonly timer: boolean
}

/** A parallel call whose stages all answer as one would wish, its body by hand, with whatever is to be different. */
export function scriptedCall(id: number, different: Partial<ScriptedCall> = {}): ScriptedCall {
  const done = { answer: 'return', when: 'at-once' } as const
  return {
    id,
    modes: [{ kind: 'parallel' }],
    started: 'return',
    prepare: { answer: 'dispatch', when: 'at-once' },
    dispatch: { answer: 'post-result', when: 'by-hand' },
    late: 'final-result',
    abandon: 'final-result',
    end: done,
    committed: done,
    skipped: done,
    tellLate: done,
    ...different,
  }
}
