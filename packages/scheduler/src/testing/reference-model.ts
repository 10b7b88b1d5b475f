/*
 * What a scheduler must do, said once more and as directly as possible: no promises, no queues, no lanes, only records
 * of calls, and rules that are tried over and over until none applies. Slow, and easy to hold against the invariants.
 */
import { type ExecutionMode } from '../execution-mode.js'
import {
  type PendingStage,
  type Scenario,
  type ScriptedCall,
  type ScriptedStage,
  type Stimulus,
  type View,
} from './scenario.js'

type Kind = 'post-result' | 'final-result'

interface ModelCall {
  readonly script: ScriptedCall
  state: 'untouched' | 'starting' | 'waiting' | 'running' | 'settled' | 'rejected'
  mode: ExecutionMode
  commit: 'open' | 'begun' | 'closed' | 'skipped'
  kind: Kind
  settled: string
  /** What is being committed, and how far that came. */
  committing: string
  result: string | undefined
  failedStage: string | undefined
  abandoned: boolean
  truthKnown: boolean
}

/** The model of one run. */
export interface ReferenceModel {
  readonly apply: (stimulus: Stimulus) => void
  readonly view: () => View
  /** What can be done next from outside. */
  readonly stimuli: () => readonly Stimulus[]
}

/** Starts the model on a scenario. */
export function createReferenceModel(scenario: Scenario): ReferenceModel {
  const calls = scenario.calls.map((script): ModelCall => ({
    script,
    state: 'untouched',
    mode: { kind: 'exclusive' },
    commit: 'open',
    kind: 'final-result',
    settled: '',
    committing: '',
    result: undefined,
    failedStage: undefined,
    abandoned: false,
    truthKnown: false,
  }))
  const ordered: string[] = []
  const dispatched: string[] = []
  const abandoned: string[] = []
  const late: string[] = []
  const report: string[] = []
  const errors: string[] = []
  const pending = new Map<PendingStage, () => void>()
  let commits = 0
  let groups = 0
  let cap = 0
  let groupOpen = false
  let starting = false
  let ending = false
  let tellingLate = 0
  let aborted = false
  let graceOver = false
  let timer = false
  let outcome = 'pending'

  const isAborted = () => aborted
  const running = () => calls.filter(call => call.state === 'running').length
  const firstOpen = () => calls.find(call => call.commit === 'open' || call.commit === 'begun')
  const firstUntouched = () => calls.find(call => call.state === 'untouched' && call.commit === 'open')

  function fail(label: string): void {
    if (outcome === 'pending') errors.push(label)
  }

  function begin(log: string[], label: string, detail?: string): void {
    log.push(detail === undefined ? label : `${label} ${detail}`)
    if (label === scenario.abortIn) abort()
  }

  function play(label: PendingStage, stage: ScriptedStage<string>, after: (failed: boolean) => void): void {
    const settle = () => {
      if (stage.answer === 'fail') fail(label)
      after(stage.answer === 'fail')
    }
    if (stage.when === 'at-once') settle()
    else pending.set(label, settle)
  }

  function abort(): void {
    if (aborted || outcome !== 'pending') return
    aborted = true
    timer = running() > 0 && scenario.abortGraceMs !== Infinity
  }

  /** S1. */
  function ask(call: ModelCall): ExecutionMode {
    begin(ordered, `mode ${call.script.id}`)
    const answer = call.script.modes[Math.min(commits, call.script.modes.length - 1)]
    return answer === undefined || answer === 'fail' ? { kind: 'exclusive' } : answer
  }

  /** S3, S4, S5, S8, S9: the next call starts when no start, no end is under way and the group lets it. */
  function tryStart(): boolean {
    const call = firstUntouched()
    if (call === undefined || starting || ending || aborted || errors.length > 0) return false
    if (groupOpen ? running() >= cap : firstOpen() !== call) return false
    if (!groupOpen) {
      cap = scenario.maxParallel[Math.min(groups, scenario.maxParallel.length - 1)] ?? 1
      groups += 1
    }
    const mode = ask(call)
    const cut = groupOpen && mode.kind === 'exclusive'
    groupOpen = mode.kind === 'parallel'
    if (!cut && !isAborted()) start(call, mode)
    return true
  }

  function start(call: ModelCall, mode: ExecutionMode): void {
    const { id, prepare } = call.script
    begin(ordered, `started ${id}`)
    if (call.script.started === 'fail') {
      fail(`started ${id}`)
      return
    }
    call.state = 'starting'
    call.mode = mode
    starting = true
    begin(ordered, `prepare ${id}`, mode.kind)
    play(`prepare ${id}`, prepare, failed => {
      starting = false
      if (failed) return
      if (prepare.answer === 'post-result' || prepare.answer === 'final-result') {
        learn(call, prepare.answer, 'prepared')
      } else call.state = 'waiting'
    })
  }

  /** S2, S8, S9, S12: the first prepared call whose key nobody before it holds or waits for. */
  function tryDispatch(): boolean {
    if (aborted || errors.length > 0 || running() >= cap) return false
    const busy = new Set<string>()
    for (const call of calls) {
      const key = call.mode.kind === 'parallel' ? call.mode.key : undefined
      const free = key === undefined || !busy.has(key)
      if (call.state === 'waiting' && free) {
        dispatch(call)
        return true
      }
      if (key !== undefined && (call.state === 'waiting' || call.state === 'running')) busy.add(key)
    }
    return false
  }

  function dispatch(call: ModelCall): void {
    const { id, dispatch: script } = call.script
    call.state = 'running'
    begin(dispatched, `dispatch ${id}`)
    play(`dispatch ${id}`, script, failed => {
      if (failed) call.state = 'rejected'
      else if (script.answer !== 'guess') learn(call, script.answer as Kind, 'body')
      else {
        Object.assign(call, { state: 'settled', kind: 'final-result', settled: 'guess' })
        const truth = call.script.late
        play(`late ${id}`, { answer: truth, when: 'by-hand' }, wrong => {
          if (!wrong) learn(call, truth as Kind, 'truth')
        })
      }
    })
  }

  /** S11: the truth about a call. */
  function learn(call: ModelCall, kind: Kind, settled: string): void {
    call.state = 'settled'
    call.truthKnown = true
    Object.assign(call, { kind, settled })
    if (call.commit === 'closed') tellLate(call)
  }

  function tellLate(call: ModelCall): void {
    begin(late, `told ${call.script.id}`, call.settled)
    tellingLate += 1
    play(`told ${call.script.id}`, call.script.tellLate, () => (tellingLate -= 1))
  }

  /** S3, S5, S6, S8, S9, S11: the first open call ends when it can. */
  function tryEnd(): boolean {
    const call = firstOpen()
    if (call === undefined || ending || errors.length > 0) return false
    if (call.state === 'untouched') {
      if (!aborted || starting) return false
      skip(call)
      return true
    }
    if (call.state === 'settled') commit(call)
    else if ((call.state === 'waiting' && aborted) || (call.state === 'running' && graceOver)) {
      begin(abandoned, `abandon ${call.script.id}`)
      call.abandoned = true
      if (call.script.abandon === 'fail') fail(`abandon ${call.script.id}`)
      else {
        Object.assign(call, { kind: call.script.abandon, settled: 'abandoned' })
        commit(call)
      }
    } else return false
    return true
  }

  function commit(call: ModelCall): void {
    const { script, kind, settled } = call
    const stage = kind === 'post-result' ? 'finalize' : 'finish'
    ending = true
    call.commit = 'begun'
    call.committing = settled
    begin(ordered, `${stage} ${script.id}`, settled)
    play(`${stage} ${script.id}`, script.end, failed => {
      if (failed || errors.length > 0) ending = false
      if (failed) call.failedStage = stage
      else call.result = `${kind === 'post-result' ? 'finalized' : 'finished'} ${settled}`
      if (!ending) return
      begin(ordered, `committed ${script.id}`, call.result)
      play(`committed ${script.id}`, script.committed, unwritten => {
        ending = false
        if (unwritten) call.failedStage = 'committed'
        else {
          commits += 1
          call.commit = 'closed'
          if (call.truthKnown && call.settled !== settled) tellLate(call)
        }
      })
    })
  }

  function skip(call: ModelCall): void {
    const { id, skipped } = call.script
    ending = true
    begin(ordered, `skipped ${id}`)
    play(`skipped ${id}`, skipped, failed => {
      ending = false
      if (!failed) call.commit = 'skipped'
    })
  }

  /** S6, S8, S9, S11: the run ends when nothing is left, or when it has failed and nothing runs any more. */
  function tryFinish(): void {
    if (outcome !== 'pending' || starting || ending || tellingLate > 0) return
    if (errors.length > 0) {
      if (running() > 0 && !graceOver) return
      const firstError = errors[0]
      writeReport()
      outcome = `rejected ${firstError ?? ''}`
    } else {
      if (firstOpen() !== undefined) return
      const skipped = calls.filter(call => call.commit === 'skipped').length
      outcome = `resolved aborted=${aborted} started=${calls.length - skipped} skipped=${skipped}`
    }
    timer = false
  }

  function writeReport(): void {
    const open = calls.filter(call => call.commit === 'open' || call.commit === 'begun')
    const lines = (states: ModelCall['state'][], line: (call: ModelCall) => string) =>
      open.filter(call => states.includes(call.state)).map(line)
    for (const call of open) {
      if (call.state !== 'running' || call.abandoned) continue
      begin(abandoned, `abandon ${call.script.id}`)
      if (call.script.abandon === 'fail') fail(`abandon ${call.script.id}`)
    }
    report.push(
      `error ${errors[0] ?? ''}`,
      ...errors.map(error => `also ${error}`),
      ...lines(['settled'], call => {
        const same = call.committing === call.settled
        const result = (same ? call.result : undefined) ?? 'none'
        const failedStage = (same ? call.failedStage : undefined) ?? 'none'
        return `settled ${call.script.id} ${call.kind} ${call.settled} result=${result} failed=${failedStage}`
      }),
      ...lines(['rejected'], call => `rejected ${call.script.id} dispatch ${call.script.id}`),
      ...lines(['running'], call => `unresolved ${call.script.id}`),
      ...lines(['starting', 'waiting'], ({ script, state }) => {
        return `not dispatched ${script.id} ${state === 'starting' ? 'unprepared' : 'prepared'}`
      }),
      ...lines(['untouched'], call => `not started ${call.script.id}`),
    )
    for (const call of open) call.commit = 'closed'
  }

  function run(): void {
    while (tryDispatch() || tryEnd() || tryStart());
    tryFinish()
  }

  run()
  return {
    apply(stimulus) {
      if (stimulus === 'abort') abort()
      else if (stimulus === 'grace') {
        graceOver = timer
        timer = false
      } else {
        const settle = pending.get(stimulus)
        if (settle === undefined) throw new Error(`${stimulus} is not pending in the model`)
        pending.delete(stimulus)
        settle()
      }
      run()
    },
    view: () => ({
      ordered: [...ordered],
      dispatched: [...dispatched],
      abandoned: [...abandoned],
      late: [...late],
      pending: [...pending.keys()].sort(),
      outcome,
      report: [...report],
      timer,
    }),
    stimuli: () => [
      ...pending.keys(),
      ...(aborted || outcome !== 'pending' ? [] : (['abort'] as const)),
      ...(timer ? (['grace'] as const) : []),
    ],
  }
}
