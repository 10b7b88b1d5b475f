import { expect, test } from 'vitest'
import { type CallStages } from './call-stages.js'
import { runStagedCalls } from './run-staged-calls.js'

const journal = { started: () => undefined, committed: () => undefined, skipped: () => undefined }

/** Runs two calls of which the first never settles by itself, and answers how many bodies were called beside it. */
async function bodiesBeside(first: unknown): Promise<number> {
  let bodies = 0
  let settleFirst: () => void = () => undefined
  const stages = {
    mode: (call: number) =>
      call === 0 ? { kind: 'parallel' } : typeof first === 'function' ? (first as () => unknown)() : first,
    prepare: (call: number) => ({ kind: 'dispatch', execution: call }),
    dispatch(call: number) {
      bodies += 1
      const done = { kind: 'final-result', settled: call }
      return call === 0 ? new Promise(resolve => (settleFirst = () => resolve(done))) : done
    },
    finalize: () => 'result',
    finish: () => 'result',
    abandon: () => ({ kind: 'final-result', settled: 0 }),
  } as unknown as CallStages<number, number, number, string>
  const run = runStagedCalls([0, 1], stages, journal)
  for (let microtask = 0; microtask < 10; microtask += 1) await Promise.resolve()
  const beside = bodies - 1
  settleFirst()
  expect(await run).toEqual({ aborted: false, started: 2, skipped: 0 })
  expect(bodies).toBe(2)
  return beside
}

test('S1: an object whose kind is exactly parallel overlaps', async () => {
  expect(await bodiesBeside({ kind: 'parallel' })).toBe(1)
  expect(await bodiesBeside({ kind: 'parallel', key: 'a' })).toBe(1)
})

test.each<[string, unknown]>([
  ['true', true],
  ['the string', 'parallel'],
  ['nothing', undefined],
  ['null', null],
  ['another kind', { kind: 'Parallel' }],
  ['a kind that is a String object', { kind: new String('parallel') }],
  ['a key that is not a string', { kind: 'parallel', key: 7 }],
  ['a promise', Promise.resolve({ kind: 'parallel' })],
  ['a promise that pretends', Object.assign(Promise.resolve(), { kind: 'parallel' })],
  ['a rejected promise, which stays handled', () => Promise.reject(new Error('async classifier'))],
  ['a function', () => () => ({ kind: 'parallel' })],
  [
    'a throw',
    () => {
      throw new Error('broken classifier')
    },
  ],
  [
    'a getter that throws',
    {
      get kind(): string {
        throw new Error('broken answer')
      },
    },
  ],
])('S1: %s is exclusive', async (_name, answer) => {
  expect(await bodiesBeside(answer)).toBe(0)
})

test('S1: a missing classifier is exclusive', async () => {
  const order: string[] = []
  const stages = {
    prepare: (call: number) => ({ kind: 'dispatch', execution: call }),
    dispatch: async (call: number) => {
      order.push(`body ${String(call)}`)
      await Promise.resolve()
      return { kind: 'final-result', settled: call }
    },
    finish: (call: number) => order.push(`finish ${String(call)}`),
  } as unknown as CallStages<number, number, number, number>
  await runStagedCalls([0, 1], stages, journal)
  expect(order).toEqual(['body 0', 'finish 0', 'body 1', 'finish 1'])
})

test('S1: prepare is told the mode that was taken, not the object that was answered', async () => {
  const modes: unknown[] = []
  const stages = {
    mode: (call: number) => (call === 0 ? { kind: 'parallel', key: 'k', extra: 1 } : { kind: 'no' }),
    prepare(call: number, mode: unknown) {
      modes.push(mode)
      return { kind: 'final-result', execution: call, settled: call }
    },
    finish: () => 'result',
  } as unknown as CallStages<number, number, number, string>
  await runStagedCalls([0, 1], stages, journal)
  expect(modes).toEqual([{ kind: 'parallel', key: 'k' }, { kind: 'exclusive' }])
})
