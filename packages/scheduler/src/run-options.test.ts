import { expect, test } from 'vitest'
import { DEFAULT_MAX_PARALLEL_TOOL_CALLS, type RunOptions } from './run-options.js'
import { runCalls } from './run-calls.js'

async function runWith(options: RunOptions) {
  let running = 0
  let most = 0
  let ran = 0
  const run = runCalls([...Array(30).keys()], {
    ...options,
    mode: () => ({ kind: 'parallel' }),
    async run() {
      running += 1
      ran += 1
      most = Math.max(most, running)
      await Promise.resolve()
      running -= 1
    },
    commit: () => undefined,
  })
  const error = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return { most, ran, error }
}

test('S2: ten calls run at once unless told otherwise', async () => {
  expect(DEFAULT_MAX_PARALLEL_TOOL_CALLS).toBe(10)
  expect(await runWith({})).toEqual({ most: 10, ran: 30, error: undefined })
})

test.each([1, 3, 30, Number.MAX_SAFE_INTEGER])('S2: %d is a cap', async maxParallel => {
  const most = Math.min(maxParallel, 30)
  expect(await runWith({ maxParallel })).toEqual({ most, ran: 30, error: undefined })
  expect(await runWith({ maxParallel: () => maxParallel })).toEqual({ most, ran: 30, error: undefined })
})

test.each([0, -1, 1.5, NaN, Infinity, '4', null])(
  'a maxParallel of %s is refused, and nothing runs',
  async value => {
    const maxParallel = value as number
    const message = `maxParallel must be a positive integer, found ${String(value)}; use 1 to run calls one at a time`
    expect(await runWith({ maxParallel })).toEqual({ most: 0, ran: 0, error: new RangeError(message) })
    expect(await runWith({ maxParallel: () => maxParallel })).toMatchObject({
      ran: 0,
      error: new RangeError(message),
    })
  },
)

test.each([-1, NaN, '5', null])('an abortGraceMs of %s is refused, and nothing runs', async value => {
  const { ran, error } = await runWith({ abortGraceMs: value as number })
  expect(ran).toBe(0)
  expect(error).toEqual(
    new RangeError(
      `abortGraceMs must be a number of milliseconds that is not negative, found ${String(value)}; use Infinity to wait without a limit`,
    ),
  )
})

test('an undefined option is one that was left out', async () => {
  const options = {
    maxParallel: undefined,
    signal: undefined,
    abortGraceMs: undefined,
    startTimer: undefined,
  }
  expect(await runWith(options)).toEqual({ most: 10, ran: 30, error: undefined })
})
