import { type CallJournal, type FailureReport } from '../call-journal.js'
import { type CallStages, type Dispatched } from '../call-stages.js'
import { type ExecutionMode } from '../execution-mode.js'
import { type RunOptions, type RunSummary } from '../run-options.js'
import { createHandClock } from './clock.js'
import {
  type PendingStage,
  type Scenario,
  type ScriptedCall,
  type ScriptedStage,
  type Stimulus,
  type View,
} from './scenario.js'

/** Anything with the signature of `runStagedCalls`. */
export type StagedScheduler = <Call, Execution, Settled, Result>(
  ...parameters: [
    calls: readonly Call[],
    stages: CallStages<Call, Execution, Settled, Result>,
    journal: CallJournal<Call, Execution, Settled, Result>,
    options?: RunOptions,
  ]
) => Promise<RunSummary>

/** A run of a scheduler on scripted calls, moved on by hand. */
export interface HandDrivenRun {
  /** Does one thing from outside, and returns once everything that follows from it has happened. */
  readonly apply: (stimulus: Stimulus) => Promise<void>
  readonly view: () => View
}

/** What can still follow from one thing settled: every link of the chain is a microtask, and no chain is this long. */
const MICROTASKS = 25

/** Starts a scheduler on a scenario. */
export async function runByHand(scheduler: StagedScheduler, scenario: Scenario): Promise<HandDrivenRun> {
  const ordered: string[] = []
  const dispatched: string[] = []
  const abandoned: string[] = []
  const late: string[] = []
  const report: string[] = []
  const settlers = new Map<PendingStage, () => void>()
  const errors = new Map<string, Error>()
  const clock = createHandClock()
  const controller = new AbortController()
  let commits = 0
  let groups = 0
  let outcome = 'pending'

  function begin(log: string[], label: string, detail?: string): void {
    log.push(detail === undefined ? label : `${label} ${detail}`)
    if (label === scenario.abortIn) controller.abort()
  }

  function failure(label: string): Error {
    const error = new Error(label)
    errors.set(label, error)
    return error
  }

  function play<Answer, Value>(
    label: PendingStage,
    { answer, when }: ScriptedStage<Answer>,
    value: () => Value,
  ): Value | Promise<Value> {
    if (when === 'at-once') {
      if (answer === 'fail') throw failure(label)
      return value()
    }
    return new Promise((resolve, reject) => {
      settlers.set(label, () => {
        if (answer === 'fail') reject(failure(label))
        else resolve(value())
      })
    })
  }

  const stages: CallStages<ScriptedCall, ScriptedCall, string, string> = {
    mode({ id, modes }) {
      begin(ordered, `mode ${id}`)
      const answer = modes[Math.min(commits, modes.length - 1)] as ExecutionMode | 'fail'
      if (answer === 'fail') throw failure(`mode ${id}`)
      return answer
    },
    prepare(call, mode) {
      begin(ordered, `prepare ${call.id}`, mode.kind)
      return play(`prepare ${call.id}`, call.prepare, () =>
        call.prepare.answer === 'post-result' || call.prepare.answer === 'final-result'
          ? { kind: call.prepare.answer, execution: call, settled: 'prepared' }
          : { kind: 'dispatch', execution: call },
      )
    },
    dispatch(call) {
      begin(dispatched, `dispatch ${call.id}`)
      return play(`dispatch ${call.id}`, call.dispatch, (): Dispatched<string> => {
        if (call.dispatch.answer !== 'guess') {
          return { kind: call.dispatch.answer as 'post-result', settled: 'body' }
        }
        const truth = play(`late ${call.id}`, { answer: call.late, when: 'by-hand' }, () => ({
          kind: call.late as 'post-result',
          settled: 'truth',
        }))
        return { kind: 'final-result', settled: 'guess', late: Promise.resolve(truth) }
      })
    },
    finalize(call, settled) {
      begin(ordered, `finalize ${call.id}`, settled)
      return play(`finalize ${call.id}`, call.end, () => `finalized ${settled}`)
    },
    finish(call, settled) {
      begin(ordered, `finish ${call.id}`, settled)
      return play(`finish ${call.id}`, call.end, () => `finished ${settled}`)
    },
    abandon(call) {
      begin(abandoned, `abandon ${call.id}`)
      if (call.abandon === 'fail') throw failure(`abandon ${call.id}`)
      return { kind: call.abandon, settled: 'abandoned' }
    },
  }

  const journal: CallJournal<ScriptedCall, ScriptedCall, string, string> = {
    started({ id, started }) {
      begin(ordered, `started ${id}`)
      if (started === 'fail') throw failure(`started ${id}`)
    },
    committed(call, result) {
      begin(ordered, `committed ${call.id}`, result)
      return play(`committed ${call.id}`, call.committed, () => (commits += 1))
    },
    skipped(call) {
      begin(ordered, `skipped ${call.id}`)
      return play(`skipped ${call.id}`, call.skipped, () => undefined)
    },
    late(call, _execution, { settled }) {
      begin(late, `told ${call.id}`, settled)
      return play(`told ${call.id}`, call.tellLate, () => undefined)
    },
    failed: failed => report.push(...describeReport(failed)),
  }

  const options: RunOptions = {
    maxParallel: () => scenario.maxParallel[Math.min(groups++, scenario.maxParallel.length - 1)] as number,
    signal: controller.signal,
    abortGraceMs: scenario.abortGraceMs,
    startTimer: clock.startTimer,
  }
  scheduler(scenario.calls, stages, journal, options).then(
    ({ aborted, started, skipped }) => {
      outcome = `resolved aborted=${aborted} started=${started} skipped=${skipped}`
    },
    (error: unknown) => {
      const label = [...errors].find(([, known]) => known === error)?.[0]
      outcome = `rejected ${label ?? `with an error that no stage threw: ${String(error)}`}`
    },
  )
  await rest()
  return {
    async apply(stimulus) {
      if (stimulus === 'abort') controller.abort()
      else if (stimulus === 'grace') clock.advance(scenario.abortGraceMs)
      else {
        const settle = settlers.get(stimulus)
        if (settle === undefined) throw new Error(`${stimulus} is not pending`)
        settlers.delete(stimulus)
        settle()
      }
      await rest()
    },
    view: () => ({
      ordered: [...ordered],
      dispatched: [...dispatched],
      abandoned: [...abandoned],
      late: [...late],
      pending: [...settlers.keys()].sort(),
      outcome,
      report: [...report],
      timer: clock.running() > 0,
    }),
  }
}

async function rest(): Promise<void> {
  for (let microtask = 0; microtask < MICROTASKS; microtask += 1) await Promise.resolve()
}

function describeReport(report: FailureReport<ScriptedCall, ScriptedCall, string, string>): string[] {
  return [
    `error ${(report.error as Error).message}`,
    ...report.errors.map(error => `also ${(error as Error).message}`),
    ...report.settled.map(
      ({ call, kind, settled, result, failedStage }) =>
        `settled ${call.id} ${kind} ${settled} result=${result ?? 'none'} failed=${failedStage ?? 'none'}`,
    ),
    ...report.rejected.map(({ call, error }) => `rejected ${call.id} ${(error as Error).message}`),
    ...report.unresolved.map(({ call }) => `unresolved ${call.id}`),
    ...report.notDispatched.map(
      ({ call, execution }) =>
        `not dispatched ${call.id} ${execution === undefined ? 'unprepared' : 'prepared'}`,
    ),
    ...report.notStarted.map(({ id }) => `not started ${id}`),
  ]
}
