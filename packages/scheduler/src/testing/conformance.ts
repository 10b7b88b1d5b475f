import { type ExecutionMode } from '../execution-mode.js'
import { type StagedScheduler } from './hand-driven.js'
import { inOrder, playScenario } from './play.js'
import { type Scenario, type ScriptedCall, type Stimulus, scriptedCall, type View } from './scenario.js'
import { sweeps } from './sweeps.js'

/** One thing that a scheduler must do. */
export interface ConformanceCase {
  /** The invariants that it holds, such as `S3`. */
  readonly invariants: string
  readonly name: string
  /** Rejects with what was expected and what was found, if the scheduler does not do it. */
  readonly check: (scheduler: StagedScheduler) => Promise<void>
}

interface Example {
  readonly invariants: string
  readonly name: string
  readonly calls: readonly ScriptedCall[]
  readonly maxParallel?: readonly number[]
  readonly abortGraceMs?: number
  readonly abortIn?: string
  readonly stimuli: readonly Stimulus[]
  /** What must be seen after the stimuli, before the rest is settled in order. */
  readonly then: Partial<View>
}

const exclusive: ExecutionMode = { kind: 'exclusive' }
const parallel: ExecutionMode = { kind: 'parallel' }
const keyed: ExecutionMode = { kind: 'parallel', key: 'file' }
const byHand = { answer: 'return', when: 'by-hand' } as const

function started(id: number, mode: ExecutionMode['kind'] = 'parallel'): string[] {
  return [`mode ${id}`, `started ${id}`, `prepare ${id} ${mode}`]
}

function committed(id: number, settled = 'body'): string[] {
  return [`finalize ${id} ${settled}`, `committed ${id} finalized ${settled}`]
}

const examples: readonly Example[] = [
  {
    invariants: 'S1',
    name: 'a call whose classifier throws runs alone',
    calls: [scriptedCall(0), scriptedCall(1, { modes: ['fail'] }), scriptedCall(2)],
    stimuli: ['dispatch 0'],
    then: { dispatched: ['dispatch 0', 'dispatch 1'], pending: ['dispatch 1'] },
  },
  {
    invariants: 'S2',
    name: 'the cap is a rolling window, refilled as each body settles, also out of order',
    calls: [0, 1, 2, 3].map(id => scriptedCall(id)),
    maxParallel: [2],
    stimuli: ['dispatch 1'],
    then: { pending: ['dispatch 0', 'dispatch 2'] },
  },
  {
    invariants: 'S2',
    name: 'a function is read at the start of every group and not within it',
    calls: [0, 1, 2, 3, 4, 5].map(id => scriptedCall(id, id === 2 ? { modes: [exclusive] } : {})),
    maxParallel: [1, 3],
    stimuli: ['dispatch 0', 'dispatch 1', 'dispatch 2'],
    then: { pending: ['dispatch 3', 'dispatch 4', 'dispatch 5'] },
  },
  {
    invariants: 'S3',
    name: '[read, read, write, read, read] is three groups',
    calls: [0, 1, 2, 3, 4].map(id => scriptedCall(id, id === 2 ? { modes: [exclusive] } : {})),
    stimuli: ['dispatch 1', 'dispatch 0', 'dispatch 2'],
    then: {
      ordered: [
        ...started(0),
        ...started(1),
        'mode 2',
        ...committed(0),
        ...committed(1),
        ...started(2, 'exclusive'),
        ...committed(2),
        ...started(3),
        ...started(4),
      ],
      pending: ['dispatch 3', 'dispatch 4'],
    },
  },
  {
    invariants: 'S3',
    name: 'an exclusive call waits for the commits before it, not only for the bodies',
    calls: [scriptedCall(0, { committed: byHand }), scriptedCall(1, { modes: [exclusive] })],
    stimuli: ['dispatch 0'],
    then: { dispatched: ['dispatch 0'], pending: ['committed 0'] },
  },
  {
    invariants: 'S4',
    name: 'a commit may turn a later call exclusive: it cuts the group and is asked again',
    calls: [scriptedCall(0), scriptedCall(1), scriptedCall(2, { modes: [parallel, exclusive, parallel] })],
    maxParallel: [2],
    stimuli: ['dispatch 0', 'dispatch 1'],
    then: {
      ordered: [...started(0), ...started(1), ...committed(0), 'mode 2', ...committed(1), ...started(2)],
    },
  },
  {
    invariants: 'S5',
    name: 'a settled result waits in its slot until every earlier call has committed',
    calls: [0, 1, 2].map(id => scriptedCall(id)),
    stimuli: ['dispatch 2', 'dispatch 1'],
    then: { ordered: [...started(0), ...started(1), ...started(2)] },
  },
  {
    invariants: 'S5',
    name: 'an end does not wait for a start: a pending prepare holds back no result',
    calls: [scriptedCall(0), scriptedCall(1, { prepare: { answer: 'dispatch', when: 'by-hand' } })],
    stimuli: ['dispatch 0'],
    then: { ordered: [...started(0), ...started(1), ...committed(0)], pending: ['prepare 1'] },
  },
  {
    invariants: 'S5',
    name: 'a start waits for the ends that are possible',
    calls: [scriptedCall(0, { end: byHand }), scriptedCall(1), scriptedCall(2)],
    maxParallel: [2],
    stimuli: ['dispatch 0'],
    then: { dispatched: ['dispatch 0', 'dispatch 1'], pending: ['dispatch 1', 'finalize 0'] },
  },
  {
    invariants: 'S5',
    name: 'post-result goes to finalize and final-result to finish, from prepare too',
    calls: [
      scriptedCall(0, { prepare: { answer: 'post-result', when: 'at-once' } }),
      scriptedCall(1, { prepare: { answer: 'final-result', when: 'at-once' } }),
      scriptedCall(2, { dispatch: { answer: 'final-result', when: 'at-once' } }),
    ],
    stimuli: [],
    then: {
      ordered: [
        ...started(0),
        ...committed(0, 'prepared'),
        ...started(1),
        'finish 1 prepared',
        'committed 1 finished prepared',
        ...started(2),
        'finish 2 body',
        'committed 2 finished body',
      ],
      dispatched: ['dispatch 2'],
      outcome: 'resolved aborted=false started=3 skipped=0',
    },
  },
  {
    invariants: 'S8',
    name: 'after the abort dispatched calls commit what they return and the others are skipped, in order',
    calls: [scriptedCall(0), scriptedCall(1), scriptedCall(2), scriptedCall(3, { modes: [exclusive] })],
    maxParallel: [2],
    stimuli: ['abort', 'dispatch 1', 'dispatch 0'],
    then: {
      ordered: [...started(0), ...started(1), ...committed(0), ...committed(1), 'skipped 2', 'skipped 3'],
      outcome: 'resolved aborted=true started=2 skipped=2',
    },
  },
  {
    invariants: 'S8',
    name: 'a call that was being prepared when the abort came is abandoned, and its body is never called',
    calls: [scriptedCall(0, { prepare: { answer: 'dispatch', when: 'by-hand' } }), scriptedCall(1)],
    stimuli: ['abort', 'prepare 0'],
    then: {
      dispatched: [],
      abandoned: ['abandon 0'],
      ordered: [...started(0), 'finish 0 abandoned', 'committed 0 finished abandoned', 'skipped 1'],
    },
  },
  {
    invariants: 'S8',
    name: 'an abort from inside prepare is seen before the body, without an await between',
    calls: [scriptedCall(0)],
    abortIn: 'prepare 0',
    stimuli: [],
    then: { dispatched: [], outcome: 'resolved aborted=true started=1 skipped=0' },
  },
  {
    invariants: 'S9',
    name: 'a rejected body stops starts and commits, the others are awaited, the first error is rethrown',
    calls: [0, 1, 2, 3].map(id =>
      scriptedCall(id, id === 1 ? { dispatch: { answer: 'fail', when: 'by-hand' } } : {}),
    ),
    maxParallel: [3],
    stimuli: ['dispatch 1', 'dispatch 0', 'dispatch 2'],
    then: {
      ordered: [...started(0), ...started(1), ...started(2)],
      outcome: 'rejected dispatch 1',
      report: [
        'error dispatch 1',
        'also dispatch 1',
        'settled 0 post-result body result=none failed=none',
        'settled 2 post-result body result=none failed=none',
        'rejected 1 dispatch 1',
        'not started 3',
      ],
    },
  },
  {
    invariants: 'S9',
    name: 'failure outranks skipping: after the abort too, nothing more is skipped',
    calls: [
      scriptedCall(0, { committed: { answer: 'fail', when: 'at-once' } }),
      scriptedCall(1),
      scriptedCall(2),
    ],
    maxParallel: [1],
    stimuli: ['abort', 'dispatch 0'],
    then: {
      outcome: 'rejected committed 0',
      report: [
        'error committed 0',
        'also committed 0',
        'settled 0 post-result body result=finalized body failed=committed',
        'not started 1',
        'not started 2',
      ],
    },
  },
  {
    invariants: 'S9, S11',
    name: 'after an abort the drain of a failed run ends with the grace, and what still runs is abandoned',
    calls: [scriptedCall(0, { dispatch: { answer: 'fail', when: 'by-hand' } }), scriptedCall(1)],
    stimuli: ['dispatch 0', 'abort', 'grace', 'dispatch 1'],
    then: {
      outcome: 'rejected dispatch 0',
      abandoned: ['abandon 1'],
      late: ['told 1 body'],
      report: ['error dispatch 0', 'also dispatch 0', 'rejected 0 dispatch 0', 'unresolved 1'],
    },
  },
  {
    invariants: 'S11',
    name: 'a body that outlives the grace commits as a guess, and its truth is told late',
    calls: [scriptedCall(0)],
    stimuli: ['abort', 'grace', 'dispatch 0'],
    then: {
      ordered: [...started(0), 'finish 0 abandoned', 'committed 0 finished abandoned'],
      outcome: 'resolved aborted=true started=1 skipped=0',
      late: ['told 0 body'],
    },
  },
  {
    invariants: 'S11',
    name: 'truth that comes while the guess commits is told after the commit',
    calls: [scriptedCall(0, { committed: byHand })],
    stimuli: ['abort', 'grace', 'dispatch 0', 'committed 0'],
    then: { late: ['told 0 body'], outcome: 'resolved aborted=true started=1 skipped=0' },
  },
  {
    invariants: 'S11',
    name: 'truth that comes before the commit begins replaces the guess',
    calls: [scriptedCall(0), scriptedCall(1, { dispatch: { answer: 'guess', when: 'at-once' } })],
    stimuli: ['late 1', 'dispatch 0'],
    then: {
      ordered: [
        ...started(0),
        ...started(1),
        ...committed(0),
        'finish 1 truth',
        'committed 1 finished truth',
      ],
      late: [],
    },
  },
  {
    invariants: 'S11',
    name: 'an infinite grace waits and sets no timer',
    calls: [scriptedCall(0)],
    abortGraceMs: Infinity,
    stimuli: ['abort'],
    then: { timer: false, outcome: 'pending', pending: ['dispatch 0'] },
  },
  {
    invariants: 'S12',
    name: 'calls of one key run one after the other and others pass them without losing a place',
    calls: [
      scriptedCall(0, { modes: [keyed] }),
      scriptedCall(1, { modes: [keyed] }),
      scriptedCall(2, { modes: [keyed] }),
      scriptedCall(3),
      scriptedCall(4),
    ],
    maxParallel: [2],
    stimuli: ['dispatch 0', 'dispatch 3'],
    then: {
      dispatched: ['dispatch 0', 'dispatch 3', 'dispatch 1', 'dispatch 4'],
      pending: ['dispatch 1', 'dispatch 4'],
    },
  },
  {
    invariants: 'S12',
    name: 'the signal is read again after the wait for a key',
    calls: [scriptedCall(0, { modes: [keyed] }), scriptedCall(1, { modes: [keyed] })],
    stimuli: ['abort', 'dispatch 0'],
    then: {
      dispatched: ['dispatch 0'],
      abandoned: ['abandon 1'],
      outcome: 'resolved aborted=true started=2 skipped=0',
    },
  },
]

/** Everything that a scheduler with the signature of `runStagedCalls` must do: S1–S12, example by example and sweep by sweep. */
export const conformanceCases: readonly ConformanceCase[] = [
  ...examples.map(({ invariants, name, stimuli, then, ...scenario }) => ({
    invariants,
    name,
    check: (scheduler: StagedScheduler) =>
      checkExample(scheduler, { maxParallel: [10], abortGraceMs: 100, ...scenario }, { stimuli, then }),
  })),
  ...sweeps.map(({ invariants, name, plays }) => ({
    invariants,
    name,
    async check(scheduler: StagedScheduler) {
      for (const { scenario, stimuli } of plays()) await playScenario(scheduler, scenario, inOrder(stimuli))
    },
  })),
]

async function checkExample(
  scheduler: StagedScheduler,
  scenario: Scenario,
  { stimuli, then }: Pick<Example, 'stimuli' | 'then'>,
): Promise<void> {
  let seen: View | undefined
  const inTurn = inOrder(stimuli)
  const last = await playScenario(scheduler, scenario, (possible, view) => {
    const stimulus = inTurn(possible, view)
    if (stimulus === undefined) seen ??= view
    return stimulus
  })
  for (const aspect of Object.keys(then) as (keyof View)[]) {
    const want = JSON.stringify(then[aspect])
    const have = JSON.stringify((seen ?? last)[aspect])
    if (want !== have) throw new Error(`"${aspect}" must be\n  ${want}\nbut is\n  ${have}`)
  }
}
