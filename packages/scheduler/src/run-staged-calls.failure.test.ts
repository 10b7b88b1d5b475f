import { expect, test } from 'vitest'
import { type CallJournal, type FailureReport } from './call-journal.js'
import { type CallStages, type Dispatched } from './call-stages.js'
import { runStagedCalls } from './run-staged-calls.js'

type Stages = CallStages<number, number, string, string>
type Journal = CallJournal<number, number, string, string>

const final = (settled: string): Dispatched<string> => ({ kind: 'final-result', settled })

function working(different: Partial<Stages> = {}): Stages {
  return {
    mode: () => ({ kind: 'parallel' }),
    prepare: call => ({ kind: 'dispatch', execution: call }),
    dispatch: call => final(`body ${String(call)}`),
    finalize: (_call, settled) => settled,
    finish: (_call, settled) => settled,
    abandon: () => final('abandoned'),
    ...different,
  }
}

function recording(different: Partial<Journal> = {}) {
  const committed: string[] = []
  const reports: FailureReport<number, number, string, string>[] = []
  const journal: Journal = {
    started: () => undefined,
    committed: (_call, result) => committed.push(result),
    skipped: () => undefined,
    failed: report => reports.push(report),
    ...different,
  }
  return { committed, reports, journal }
}

test.each<[string, unknown]>([
  ['an error', new TypeError('bug')],
  ['a string', 'bug'],
  ['undefined', undefined],
  ['an object', { bug: true }],
])('S9: the run rejects with %s as it was thrown', async (_name, thrown) => {
  const { journal, reports } = recording()
  const run = runStagedCalls(
    [0],
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a body may reject with anything
    working({ dispatch: () => Promise.reject(thrown) }),
    journal,
  )
  const caught = await run.then(
    () => 'nothing',
    (error: unknown) => ({ error }),
  )
  expect(caught).toEqual({ error: thrown })
  expect((caught as { error: unknown }).error).toBe(thrown)
  expect(reports[0]?.error).toBe(thrown)
  expect(reports[0]?.rejected).toEqual([{ call: 0, execution: 0, error: thrown }])
})

test('S9: a pending prepare sees its signal abort with the error, the bodies do not', async () => {
  const bug = new Error('bug')
  const bodySignals: AbortSignal[] = []
  const { journal, reports } = recording()
  const stages = working({
    prepare: (call, _mode, signal) =>
      call === 0
        ? { kind: 'dispatch', execution: call }
        : new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error))
          }),
    async dispatch(_call, signal) {
      bodySignals.push(signal)
      await Promise.resolve()
      throw bug
    },
  })
  await expect(runStagedCalls([0, 1], stages, journal)).rejects.toBe(bug)
  expect(bodySignals.map(signal => signal.aborted)).toEqual([false])
  expect(reports[0]).toMatchObject({ errors: [bug, bug], notDispatched: [{ call: 1 }] })
  expect(reports[0]?.notDispatched[0]).not.toHaveProperty('execution')
})

test('S9: an error that `failed` throws is dropped, and the first error still comes', async () => {
  const bug = new Error('bug')
  const { journal } = recording({
    failed: () => Promise.reject(new Error('the journal is gone')),
    committed: () => {
      throw bug
    },
  })
  await expect(runStagedCalls([0], working(), journal)).rejects.toBe(bug)
})

test('S9: `failed` is awaited before the run rejects', async () => {
  const order: string[] = []
  const { journal } = recording({
    async failed() {
      await Promise.resolve()
      order.push('reported')
    },
    committed: () => Promise.reject(new Error('bug')),
  })
  await runStagedCalls([0], working(), journal).catch(() => order.push('rejected'))
  expect(order).toEqual(['reported', 'rejected'])
})

test('S9: a journal without `failed` is enough', async () => {
  const bug = new Error('bug')
  const journal: Journal = {
    started: () => {
      throw bug
    },
    committed: () => undefined,
    skipped: () => undefined,
  }
  await expect(runStagedCalls([0], working(), journal)).rejects.toBe(bug)
})

test('S9: a cap that turns invalid between groups fails the run', async () => {
  const caps = [1, 0]
  const { journal, committed, reports } = recording()
  const run = runStagedCalls([0, 1], working({ mode: () => ({ kind: 'exclusive' }) }), journal, {
    maxParallel: () => caps.shift() ?? 1,
  })
  await expect(run).rejects.toThrow(
    new RangeError('maxParallel must be a positive integer, found 0; use 1 to run calls one at a time'),
  )
  expect(committed).toEqual(['body 0'])
  expect(reports[0]?.notStarted).toEqual([1])
})

const malformed = undefined as unknown as Dispatched<string>

test.each<[string, Partial<Stages>, RegExp]>([
  [
    'prepare',
    { prepare: () => malformed as never },
    /^prepare must answer an object with kind 'dispatch', 'post-.*, found kind undefined$/,
  ],
  [
    'prepare',
    { prepare: () => ({ kind: 'run', execution: 0 }) as never },
    /^prepare must .*, found kind run/,
  ],
  [
    'dispatch',
    { dispatch: () => malformed },
    /^dispatch must answer an object with kind 'post-.*, found kind undefined/,
  ],
  [
    'dispatch later',
    { dispatch: () => Promise.resolve(malformed) },
    /^dispatch must .*, found kind undefined/,
  ],
  [
    'late',
    {
      mode: () => ({ kind: 'exclusive' }),
      dispatch: () => ({ ...final('guess'), late: Promise.resolve(malformed) }),
      finish: async (_call, settled) => {
        await new Promise<void>(resolve => queueMicrotask(resolve))
        await Promise.resolve()
        return settled
      },
    },
    /^late must answer an object with kind .*, found kind undefined/,
  ],
])('S9: %s that answers what it must not fails the run with a TypeError', async (_stage, stages, message) => {
  const { journal, reports, committed } = recording()
  await expect(runStagedCalls([0], working(stages), journal)).rejects.toThrow(message)
  expect(reports[0]?.error).toBeInstanceOf(TypeError)
  expect(committed).toEqual([])
})

test('S9: `started` that answers a promise fails the run, and the promise stays handled', async () => {
  const { journal, reports } = recording({
    started: () => Promise.reject(new Error('write failed')) as never,
  })
  await expect(runStagedCalls([0], working(), journal)).rejects.toThrow(
    new TypeError(
      'journal.started must be synchronous, found a promise; write the start down before it returns',
    ),
  )
  expect(reports[0]?.notStarted).toEqual([0])
})

test('S9: `abandon` that answers a promise fails the run, and the promise stays handled', async () => {
  const controller = new AbortController()
  const { journal, reports } = recording()
  const stages = working({
    prepare(call) {
      controller.abort()
      return { kind: 'dispatch', execution: call }
    },
    abandon: () => Promise.reject(new Error('too late')) as never,
  })
  const run = runStagedCalls([0], stages, journal, { signal: controller.signal })
  await expect(run).rejects.toThrow(/^abandon must answer an object with kind/)
  expect(reports[0]?.notDispatched).toEqual([{ call: 0, execution: 0 }])
})

test('S9: a body that throws before its first await is a rejected one', async () => {
  const bug = new Error('bug')
  const { journal, reports } = recording()
  const stages = working({
    dispatch: () => {
      throw bug
    },
  })
  await expect(runStagedCalls([0], stages, journal)).rejects.toBe(bug)
  expect(reports[0]?.rejected).toEqual([{ call: 0, execution: 0, error: bug }])
})

test('S9: what a stage made of a guess is not reported beside the truth', async () => {
  let tell: (truth: Dispatched<string>) => void = () => undefined
  const late = new Promise<Dispatched<string>>(resolve => (tell = resolve))
  const { journal, reports } = recording({
    async committed() {
      tell(final('truth'))
      await late
      await Promise.resolve()
      throw new Error('bug')
    },
  })
  const stages = working({ dispatch: () => ({ kind: 'post-result', settled: 'guess', late }) })
  await expect(runStagedCalls([0], stages, journal)).rejects.toThrow('bug')
  expect(reports[0]?.settled).toEqual([{ call: 0, execution: 0, kind: 'final-result', settled: 'truth' }])
})

test('S7: a failure that a stage turned into a result stops no sibling', async () => {
  const { journal, committed } = recording()
  const stages = working({
    dispatch: call => Promise.reject(new Error('tool failed')).catch(() => final(`error ${String(call)}`)),
  })
  expect(await runStagedCalls([0, 1, 2], stages, journal)).toEqual({ aborted: false, started: 3, skipped: 0 })
  expect(committed).toEqual(['error 0', 'error 1', 'error 2'])
})
