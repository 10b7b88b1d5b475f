import { expect, it, vi } from 'vitest'
import { deferred } from './deferred.js'
import { microtasks } from './testing/batch-run.js'
import { handClock } from './testing/hand-clock.js'
import { startLimit, startTimeout } from './timer.js'
import { withinLimit } from './within-limit.js'

function setUp() {
  const clock = handClock()
  const controller = new AbortController()
  const limits = { limitMs: 100, startTimer: clock.startTimer, signal: controller.signal }
  return { clock, controller, limits }
}

it('answers at once, without a promise, where the work does', () => {
  const { limits, controller } = setUp()
  expect(withinLimit(() => 5, limits)).toEqual({ kind: 'value', value: 5 })
  const error = new Error('no')
  expect(
    withinLimit(() => {
      throw error
    }, limits),
  ).toEqual({ kind: 'threw', error })
  controller.abort()
  expect(withinLimit(() => 5, limits)).toEqual({ kind: 'aborted' })
})

it('leaves no timer after any ending, and keeps to the first', async () => {
  for (const end of ['value', 'threw', 'expired', 'aborted'] as const) {
    const { clock, controller, limits } = setUp()
    const work = deferred<number>()
    const answer = withinLimit(() => work.promise, limits)
    expect(clock.pending).toBe(1)
    if (end === 'value') work.resolve(1)
    if (end === 'threw') work.reject(new Error('no'))
    if (end === 'expired') clock.advance(100)
    if (end === 'aborted') controller.abort()
    expect(await answer).toMatchObject({ kind: end })
    work.resolve(2)
    controller.abort()
    await microtasks()
    expect(clock.pending).toBe(0)
  }
})

it('answers aborted when the work settles in the same breath as the abort', async () => {
  const { controller, limits } = setUp()
  const work = deferred<number>()
  const answer = withinLimit(() => work.promise, limits)
  work.resolve(1)
  controller.abort()
  expect(await answer).toEqual({ kind: 'aborted' })
})

it('reads the signal itself, because another listener may have held the abort back', async () => {
  const { controller, limits } = setUp()
  controller.signal.addEventListener('abort', event => event.stopImmediatePropagation())
  const work = deferred<number>()
  const answer = withinLimit(() => work.promise, limits)
  controller.abort()
  work.resolve(1)
  expect(await answer).toEqual({ kind: 'aborted' })
})

it('answers aborted when work aborts its own signal, whatever else it does', async () => {
  const threw = setUp()
  const answer = withinLimit(() => {
    threw.controller.abort()
    throw new Error('no')
  }, threw.limits)
  expect(answer).toEqual({ kind: 'aborted' })

  const waits = setUp()
  const answered: unknown[] = []
  const never = deferred<number>()
  const later = withinLimit(() => {
    waits.controller.abort()
    return never.promise
  }, waits.limits)
  void Promise.resolve(later).then(value => answered.push(value))
  await microtasks()
  expect(answered).toEqual([{ kind: 'aborted' }])
  expect(waits.clock.pending).toBe(0)
})

it('leaves no listener on a signal that outlives the work', async () => {
  const { controller, limits } = setUp()
  const added = vi.spyOn(controller.signal, 'addEventListener')
  const removed = vi.spyOn(controller.signal, 'removeEventListener')
  expect(await withinLimit(() => Promise.resolve(1), limits)).toEqual({ kind: 'value', value: 1 })
  expect(added).toHaveBeenCalledTimes(1)
  expect(removed.mock.calls).toEqual(added.mock.calls)
})

it('sets no timer for a limit that no timer can hold', () => {
  const { clock } = setUp()
  startLimit(clock.startTimer, () => undefined, Infinity)()
  startLimit(clock.startTimer, () => undefined, 2 ** 31)()
  expect(clock.pending).toBe(0)
})

it('keeps real time where no clock is given', async () => {
  const fired: string[] = []
  const stop = startTimeout(() => fired.push('stopped'), 0)
  stop()
  await new Promise<void>(resolve => startTimeout(resolve, 0))
  expect(fired).toEqual([])
})
