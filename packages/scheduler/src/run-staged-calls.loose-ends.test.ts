import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type CallJournal } from './call-journal.js'
import { type CallStages, type Dispatched } from './call-stages.js'
import { runStagedCalls } from './run-staged-calls.js'
import { createHandClock } from './testing/clock.js'

const final = (settled: string): Dispatched<string> => ({ kind: 'final-result', settled })
const unhandled: unknown[] = []
const collect = (reason: unknown) => unhandled.push(reason)

beforeEach(() => {
  process.on('unhandledRejection', collect)
})

afterEach(async () => {
  vi.useRealTimers()
  // Node reports an unhandled rejection once the microtasks are done.
  await new Promise<void>(resolve => setImmediate(resolve))
  process.off('unhandledRejection', collect)
  expect(unhandled.splice(0)).toEqual([])
})

/** A signal that knows how many listeners it has. */
function countedSignal() {
  const controller = new AbortController()
  const { signal } = controller
  let listeners = 0
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  signal.addEventListener = (...parameters: Parameters<typeof add>) => {
    listeners += 1
    add(...parameters)
  }
  signal.removeEventListener = (...parameters: Parameters<typeof remove>) => {
    listeners -= 1
    remove(...parameters)
  }
  return { controller, signal, listeners: () => listeners }
}

/** One call with a body that is settled by hand, and everything else at once. */
function oneBody(different: Partial<CallJournal<number, number, string, string>> = {}) {
  let resolve: (dispatched: Dispatched<string>) => void = () => undefined
  let reject: (error: Error) => void = () => undefined
  const log: string[] = []
  const stages: CallStages<number, number, string, string> = {
    mode: () => ({ kind: 'parallel' }),
    prepare: call => ({ kind: 'dispatch', execution: call }),
    dispatch: () =>
      new Promise((settle, fail) => {
        resolve = settle
        reject = fail
      }),
    finalize: (_call, settled) => settled,
    finish: (_call, settled) => settled,
    abandon: () => final('abandoned'),
  }
  const journal: CallJournal<number, number, string, string> = {
    started: () => undefined,
    committed: (_call, result) => log.push(`committed ${result}`),
    skipped: () => log.push('skipped'),
    late: (_call, _execution, { settled }) => log.push(`late ${settled}`),
    ...different,
  }
  return {
    stages,
    journal,
    log,
    resolve: (settled: Dispatched<string>) => resolve(settled),
    reject: (error: Error) => reject(error),
  }
}

test('S10: a run that ends well leaves no listener', async () => {
  const { signal, listeners } = countedSignal()
  const { stages, journal, resolve } = oneBody()
  const run = runStagedCalls([0], stages, journal, { signal })
  expect(listeners()).toBe(1)
  resolve(final('body'))
  await run
  expect(listeners()).toBe(0)
})

test('S10: a run that fails leaves no listener, not even while `failed` is told', async () => {
  const { signal, listeners } = countedSignal()
  const left: number[] = []
  const { stages, journal, reject } = oneBody({ failed: () => left.push(listeners()) })
  const run = runStagedCalls([0], stages, journal, { signal })
  reject(new Error('bug'))
  await expect(run).rejects.toThrow('bug')
  expect(left).toEqual([0])
})

test('S10: ten thousand runs on one signal leave none', async () => {
  const { signal, listeners } = countedSignal()
  const { stages, journal } = oneBody()
  for (let run = 0; run < 10_000; run += 1) {
    await runStagedCalls([0], { ...stages, dispatch: () => final('body') }, journal, { signal })
  }
  expect(listeners()).toBe(0)
})

test('S10: a signal that has aborted before leaves none, and every call is skipped', async () => {
  const { controller, signal, listeners } = countedSignal()
  controller.abort()
  const { stages, journal, log } = oneBody()
  const summary = await runStagedCalls([0, 1], stages, journal, { signal })
  expect(summary).toEqual({ aborted: true, started: 0, skipped: 2 })
  expect(log).toEqual(['skipped', 'skipped'])
  expect(listeners()).toBe(0)
})

test('S10: the grace timer is stopped when the body settles in time', async () => {
  const clock = createHandClock()
  const controller = new AbortController()
  const { stages, journal, log, resolve } = oneBody()
  const run = runStagedCalls([0], stages, journal, {
    signal: controller.signal,
    startTimer: clock.startTimer,
  })
  controller.abort()
  expect(clock.running()).toBe(1)
  resolve(final('body'))
  await run
  expect(clock.running()).toBe(0)
  expect(log).toEqual(['committed body'])
})

test('S10, S11: without a clock of one’s own the grace is 30 000 ms of setTimeout', async () => {
  vi.useFakeTimers()
  const controller = new AbortController()
  const { stages, journal, log } = oneBody()
  const run = runStagedCalls([0], stages, journal, { signal: controller.signal })
  controller.abort()
  vi.advanceTimersByTime(29_999)
  expect(log).toEqual([])
  vi.advanceTimersByTime(1)
  expect(log).toEqual(['committed abandoned'])
  await run
})

test('S10: setTimeout is cleared too', async () => {
  vi.useFakeTimers()
  const controller = new AbortController()
  const { stages, journal, resolve } = oneBody()
  const run = runStagedCalls([0], stages, journal, { signal: controller.signal })
  controller.abort()
  expect(vi.getTimerCount()).toBe(1)
  resolve(final('body'))
  await run
  expect(vi.getTimerCount()).toBe(0)
})

test.each([Infinity, 2 ** 31])('S11: a grace of %d sets no timer', async abortGraceMs => {
  const clock = createHandClock()
  const controller = new AbortController()
  const { stages, journal, resolve } = oneBody()
  const run = runStagedCalls([0], stages, journal, {
    signal: controller.signal,
    startTimer: clock.startTimer,
    abortGraceMs,
  })
  controller.abort()
  expect(clock.running()).toBe(0)
  resolve(final('body'))
  await run
})

test('S11: the longest delay that a timer can keep is kept by a timer', async () => {
  const clock = createHandClock()
  const controller = new AbortController()
  const { stages, journal, log } = oneBody()
  const run = runStagedCalls([0], stages, journal, {
    signal: controller.signal,
    startTimer: clock.startTimer,
    abortGraceMs: 2 ** 31 - 1,
  })
  controller.abort()
  clock.advance(2 ** 31 - 1)
  await run
  expect(log).toEqual(['committed abandoned'])
})

async function abandonedRun(different: Partial<CallJournal<number, number, string, string>> = {}) {
  const clock = createHandClock()
  const controller = new AbortController()
  const body = oneBody(different)
  const run = runStagedCalls([0], body.stages, body.journal, {
    signal: controller.signal,
    startTimer: clock.startTimer,
    abortGraceMs: 5,
  })
  controller.abort()
  clock.advance(5)
  expect(await run).toEqual({ aborted: true, started: 1, skipped: 0 })
  return body
}

async function rest(): Promise<void> {
  for (let microtask = 0; microtask < 10; microtask += 1) await Promise.resolve()
}

test('S10, S11: an abandoned body that settles after the run is told late', async () => {
  const { log, resolve } = await abandonedRun()
  resolve({ kind: 'post-result', settled: 'body' })
  await rest()
  expect(log).toEqual(['committed abandoned', 'late body'])
})

test('S10: an abandoned body that rejects after the run disturbs nobody', async () => {
  const { log, reject } = await abandonedRun()
  reject(new Error('killed'))
  await rest()
  expect(log).toEqual(['committed abandoned'])
})

test('S10: a journal whose `late` rejects after the run disturbs nobody', async () => {
  let told = 0
  const { resolve } = await abandonedRun({
    late: () => {
      told += 1
      return Promise.reject(new Error('the log is closed'))
    },
  })
  resolve(final('body'))
  await rest()
  expect(told).toBe(1)
})

test('S11: a journal without `late` is enough', async () => {
  const { resolve, log } = await abandonedRun({ late: undefined as never })
  resolve(final('body'))
  await rest()
  expect(log).toEqual(['committed abandoned'])
})

test('S11: of a chain of guesses only the truth at its end is told, once', async () => {
  const { log, resolve } = await abandonedRun()
  const truth = Promise.resolve(final('truth'))
  resolve({ ...final('guess'), late: Promise.resolve({ ...final('better guess'), late: truth }) })
  await rest()
  expect(log).toEqual(['committed abandoned', 'late truth'])
})

test('S10, S11: `abandon` may name a `late` too; who knows the truth first tells it, and once', async () => {
  const clock = createHandClock()
  const controller = new AbortController()
  const { stages, journal, log, resolve } = oneBody()
  const abandon = () => ({ ...final('abandoned'), late: Promise.resolve(final('from abandon')) })
  const run = runStagedCalls([0], { ...stages, abandon }, journal, {
    signal: controller.signal,
    startTimer: clock.startTimer,
    abortGraceMs: 0,
  })
  controller.abort()
  clock.advance(0)
  await run
  await rest()
  resolve({ ...final('a guess'), late: Promise.reject(new Error('nobody listens')) })
  await rest()
  expect(log).toEqual(['committed abandoned', 'late from abandon'])
})

test('S10: a signal whose other listener stops the event is still read before a body is called', async () => {
  const controller = new AbortController()
  controller.signal.addEventListener('abort', event => event.stopImmediatePropagation())
  const { stages, journal, log } = oneBody()
  const prepare = async (call: number) => {
    await Promise.resolve()
    controller.abort()
    return { kind: 'dispatch', execution: call } as const
  }
  const summary = await runStagedCalls([0, 1], { ...stages, prepare }, journal, { signal: controller.signal })
  expect(summary).toEqual({ aborted: true, started: 1, skipped: 1 })
  expect(log).toEqual(['committed abandoned', 'skipped'])
})

test('S9, S10: a thenable that calls back twice settles once', async () => {
  const { stages, journal, log } = oneBody()
  const dispatch = (): PromiseLike<Dispatched<string>> =>
    ({
      then(resolve: (dispatched: Dispatched<string>) => void, reject: (error: Error) => void) {
        resolve(final('first'))
        resolve(final('second'))
        reject(new Error('third'))
      },
    }) as unknown as PromiseLike<Dispatched<string>>
  expect(await runStagedCalls([0], { ...stages, dispatch }, journal)).toMatchObject({ started: 1 })
  expect(log).toEqual(['committed first'])
})

test('S11: the run does not end while the journal writes a truth that came at the last moment', async () => {
  let written: () => void = () => undefined
  let noted: () => void = () => undefined
  let tell: (truth: Dispatched<string>) => void = () => undefined
  const late = new Promise<Dispatched<string>>(resolve => (tell = resolve))
  const { stages, journal, log } = oneBody({
    committed: () => new Promise<void>(resolve => (written = resolve)),
    late: () => new Promise<void>(resolve => (noted = resolve)),
  })
  const dispatch = () => ({ ...final('guess'), late })
  const run = runStagedCalls([0], { ...stages, dispatch }, journal).then(() => log.push('ended'))
  written()
  tell(final('truth'))
  await rest()
  expect(log).toEqual([])
  noted()
  await run
  expect(log).toEqual(['ended'])
})

test('S2: a thenable that calls back twice gives back one place under the cap, not two', async () => {
  const { stages, journal, resolve } = oneBody()
  const bodies: number[] = []
  const twice = {
    then(settle: (dispatched: Dispatched<string>) => void) {
      settle(final('first'))
      settle(final('second'))
    },
  } as unknown as PromiseLike<Dispatched<string>>
  const dispatch = (call: number, signal: AbortSignal) => {
    bodies.push(call)
    return call === 0 ? twice : call === 1 ? stages.dispatch(call, signal) : final('last')
  }
  const run = runStagedCalls([0, 1, 2], { ...stages, dispatch }, journal, { maxParallel: 1 })
  await rest()
  expect(bodies).toEqual([0, 1])
  resolve(final('body'))
  await run
  expect(bodies).toEqual([0, 1, 2])
})
