import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { type CallStages, type Dispatched } from './call-stages.js'
import { type ExecutionMode } from './execution-mode.js'
import { runStagedCalls } from './run-staged-calls.js'

const MANY = 100_000
const final: Dispatched<number> = { kind: 'final-result', settled: 0 }

function stages(
  different: Partial<CallStages<number, object, number, number>> = {},
): CallStages<number, object, number, number> {
  return {
    mode: () => ({ kind: 'parallel' }),
    prepare: () => ({ kind: 'dispatch', execution: {} }),
    dispatch: () => final,
    finalize: (_execution, settled) => settled,
    finish: (_execution, settled) => settled,
    abandon: () => final,
    ...different,
  }
}

function counting() {
  const committed: number[] = []
  return {
    committed,
    journal: {
      started: () => undefined,
      committed: (call: number) => committed.push(call),
      skipped: () => undefined,
    },
  }
}

/** What `toEqual` says of arrays, without its cost for a hundred thousand elements. */
function expectCallOrder(found: readonly number[]): void {
  expect(found.length).toBe(MANY)
  expect(found.findIndex((call, index) => call !== index)).toBe(-1)
}

const calls = Array.from({ length: MANY }, (_, call) => call)

test('stages that answer at once cost no microtask: the last call commits before the function returns', async () => {
  const { journal, committed } = counting()
  const run = runStagedCalls(calls, stages(), journal)
  expect(committed).toHaveLength(MANY)
  expect(await run).toEqual({ aborted: false, started: MANY, skipped: 0 })
})

test.each<[string, (call: number) => ExecutionMode]>([
  ['parallel', () => ({ kind: 'parallel' })],
  ['exclusive', () => ({ kind: 'exclusive' })],
  ['alternating', call => ({ kind: call % 2 === 0 ? 'parallel' : 'exclusive' })],
  ['of one key', () => ({ kind: 'parallel', key: 'one' })],
  ['of many keys', call => ({ kind: 'parallel', key: String(call) })],
])('S5: 100 000 asynchronous calls, %s, commit in call order', async (_name, mode) => {
  const { journal, committed } = counting()
  const dispatch = () => Promise.resolve(final)
  await runStagedCalls(calls, stages({ mode, dispatch }), journal)
  expectCallOrder(committed)
})

test('S12: a hundred thousand calls that wait for one key do not nest', async () => {
  const { journal, committed } = counting()
  let open: () => void = () => undefined
  const first = new Promise<Dispatched<number>>(resolve => (open = () => resolve(final)))
  let bodies = 0
  const run = runStagedCalls(
    calls,
    stages({
      mode: () => ({ kind: 'parallel', key: 'one' }),
      dispatch: () => (bodies++ === 0 ? first : final),
    }),
    journal,
    { maxParallel: 2 },
  )
  expect(committed).toEqual([])
  open()
  await run
  expectCallOrder(committed)
})

test('S8: a hundred thousand calls are skipped without nesting', async () => {
  const skipped: number[] = []
  const journal = { ...counting().journal, skipped: (call: number) => skipped.push(call) }
  await runStagedCalls(calls, stages(), journal, { signal: AbortSignal.abort() })
  expectCallOrder(skipped)
})

test('memory is flat: a call is let go of once it has committed, also while an earlier body has yet to tell the truth', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const window = 20
  let alive = 0
  let mostAlive = 0
  let registered = 0
  let mostKept = 0
  const registry = new FinalizationRegistry(() => (registered -= 1))
  const never = new Promise<Dispatched<number>>(() => undefined)
  const { journal } = counting()
  await runStagedCalls(
    calls.slice(0, 20_000),
    stages({
      prepare() {
        const execution = {}
        registry.register(execution, undefined)
        registered += 1
        alive += 1
        mostAlive = Math.max(mostAlive, alive)
        return { kind: 'dispatch', execution }
      },
      dispatch: () => Promise.resolve(alive === 1 ? { ...final, late: never } : final),
      finish: () => (alive -= 1),
    }),
    {
      ...journal,
      async committed(call) {
        if (call % 5_000 !== 4_999) return
        // The registry tells of what was collected in a later turn of the event loop.
        await new Promise(resolve => setImmediate(resolve))
        collectGarbage()
        await new Promise(resolve => setImmediate(resolve))
        mostKept = Math.max(mostKept, registered)
      },
    },
    { maxParallel: window },
  )
  expect(mostAlive).toBe(window)
  // Kept by nobody, but not yet told of: far fewer than what came since the last look.
  expect(mostKept).toBeLessThan(5_000)
})
