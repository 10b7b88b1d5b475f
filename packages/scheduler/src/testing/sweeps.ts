import { type ExecutionMode } from '../execution-mode.js'
import { createReferenceModel } from './reference-model.js'
import { type Scenario, type ScriptedCall, scriptedCall, type Stimulus } from './scenario.js'

/** A family of scenarios that together leave no gap. */
export interface Sweep {
  readonly invariants: string
  readonly name: string
  readonly plays: () => Iterable<Play>
}

interface Play {
  readonly scenario: Scenario
  readonly stimuli: readonly Stimulus[]
}

const LARGEST_BATCH = 6
const modes: readonly ExecutionMode[] = [
  { kind: 'parallel', key: 'file' },
  { kind: 'parallel' },
  { kind: 'parallel', key: 'file' },
  { kind: 'exclusive' },
  { kind: 'parallel' },
]

/** Every stage by hand, every kind of mode: as many places as possible at which something else can happen. */
const slowCalls: readonly ScriptedCall[] = modes.map((mode, id) =>
  scriptedCall(id, {
    modes: [mode],
    prepare: { answer: 'dispatch', when: 'by-hand' },
    end: { answer: 'return', when: 'by-hand' },
    committed: { answer: 'return', when: 'by-hand' },
    skipped: { answer: 'return', when: 'by-hand' },
  }),
)

function slow(different: Partial<Scenario> = {}): Scenario {
  return { calls: slowCalls, maxParallel: [2], abortGraceMs: 100, ...different }
}

/** Sweeps over settle orders, over the points at which an abort can come, and over the stages that can fail. */
export const sweeps: readonly Sweep[] = [
  {
    invariants: 'S2, S3, S5',
    name: `every settle order of up to ${LARGEST_BATCH} calls`,
    plays: settleOrders,
  },
  { invariants: 'S8, S10', name: 'an abort at every point', plays: abortsBetween },
  { invariants: 'S8', name: 'an abort from inside every stage', plays: abortsInside },
  { invariants: 'S11', name: 'an abort at every point, then the end of the grace', plays: abortsWithGrace },
  { invariants: 'S9', name: 'a failure of every stage of every call, at once and later', plays: failures },
  {
    invariants: 'S8, S9, S11',
    name: 'a failure of every stage, with an abort at every point',
    plays: failuresWithAborts,
  },
]

function* settleOrders(): Iterable<Play> {
  for (let size = 1; size <= LARGEST_BATCH; size += 1) {
    const calls = Array.from({ length: size }, (_, id) => scriptedCall(id))
    for (const order of permutations(calls.map(call => call.id))) {
      const stimuli = order.map((id): Stimulus => `dispatch ${id}`)
      yield { scenario: { calls, maxParallel: [LARGEST_BATCH], abortGraceMs: 100 }, stimuli }
    }
  }
}

function* permutations(values: readonly number[]): Iterable<readonly number[]> {
  if (values.length === 0) yield []
  for (const value of values) {
    for (const rest of permutations(values.filter(other => other !== value))) yield [value, ...rest]
  }
}

function* abortsBetween(): Iterable<Play> {
  const scenario = slow()
  for (const lastFirst of [false, true]) {
    const stimuli = stimuliToTheEnd(scenario, lastFirst)
    for (let point = 0; point <= stimuli.length; point += 1) {
      yield { scenario, stimuli: [...stimuli.slice(0, point), 'abort'] }
    }
  }
}

function* abortsWithGrace(): Iterable<Play> {
  for (const { scenario, stimuli } of abortsBetween()) {
    const model = createReferenceModel(scenario)
    for (const stimulus of stimuli) if (model.stimuli().includes(stimulus)) model.apply(stimulus)
    if (model.stimuli().includes('grace')) yield { scenario, stimuli: [...stimuli, 'grace'] }
  }
}

function* abortsInside(): Iterable<Play> {
  for (const stage of ['mode', 'started', 'prepare', 'dispatch', 'finalize', 'committed']) {
    for (const { id } of slowCalls) yield { scenario: slow({ abortIn: `${stage} ${id}` }), stimuli: [] }
  }
}

function* failures(): Iterable<Play> {
  for (const id of slowCalls.keys()) {
    for (const when of ['at-once', 'by-hand'] as const) {
      for (const stage of ['prepare', 'dispatch', 'end', 'committed'] as const) {
        const calls = slowCalls.map(call =>
          call.id === id ? { ...call, [stage]: { answer: 'fail', when } } : call,
        )
        yield { scenario: slow({ calls }), stimuli: [] }
      }
    }
    const calls = slowCalls.map(call => (call.id === id ? { ...call, started: 'fail' as const } : call))
    yield { scenario: slow({ calls }), stimuli: [] }
  }
}

function* failuresWithAborts(): Iterable<Play> {
  for (const { scenario } of failures()) {
    const failing = {
      ...scenario,
      calls: scenario.calls.map(call => ({
        ...call,
        skipped: { answer: call.id === 4 ? 'fail' : 'return', when: 'by-hand' } as const,
      })),
    }
    const stimuli = stimuliToTheEnd(failing, false)
    for (let point = 0; point < stimuli.length; point += 1) {
      yield { scenario: failing, stimuli: [...stimuli.slice(0, point), 'abort'] }
    }
  }
}

/** What the model has to be told until it ends, when the first thing possible is done every time, or the last. */
function stimuliToTheEnd(scenario: Scenario, lastFirst: boolean): readonly Stimulus[] {
  const model = createReferenceModel(scenario)
  const applied: Stimulus[] = []
  for (;;) {
    const pending = model.view().pending
    const stimulus = lastFirst ? pending[pending.length - 1] : pending[0]
    if (stimulus === undefined) return applied
    applied.push(stimulus)
    model.apply(stimulus)
  }
}
