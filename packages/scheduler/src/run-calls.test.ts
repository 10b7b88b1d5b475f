import { expect, test } from 'vitest'
import { type CallOutcome, runCalls, type RunCallsOptions } from './run-calls.js'
import { createHandClock } from './testing/clock.js'

/** Runs calls named by strings, with bodies that are settled by hand. */
function byHand(calls: readonly string[], options: Partial<RunCallsOptions<string, string>> = {}) {
  const commits: [string, CallOutcome<string>][] = []
  const late: [string, CallOutcome<string>][] = []
  const bodies = new Map<string, { resolve: (value: string) => void; reject: (error: Error) => void }>()
  const run = runCalls<string, string>(calls, {
    mode: call => (call.startsWith('write') ? { kind: 'exclusive' } : { kind: 'parallel' }),
    run: call => new Promise((resolve, reject) => bodies.set(call, { resolve, reject })),
    commit: (call, outcome) => commits.push([call, outcome]),
    late: (call, outcome) => late.push([call, outcome]),
    ...options,
  })
  const settle = async (call: string, error?: Error) => {
    if (error === undefined) bodies.get(call)?.resolve(`value of ${call}`)
    else bodies.get(call)?.reject(error)
    for (let microtask = 0; microtask < 10; microtask += 1) await Promise.resolve()
  }
  return { run, commits, late, running: () => [...bodies.keys()], settle }
}

const value = (call: string): [string, CallOutcome<string>] => [
  call,
  { kind: 'value', value: `value of ${call}` },
]

test('S5, S6: one commit for every call, in call order, whatever settles first', async () => {
  const { run, commits, settle } = byHand(['read a', 'read b', 'read c'])
  await settle('read c')
  await settle('read a')
  expect(commits).toEqual([value('read a')])
  await settle('read b')
  expect(commits).toEqual([value('read a'), value('read b'), value('read c')])
  expect(await run).toEqual({ aborted: false, started: 3, skipped: 0 })
})

test('S3: a write waits for the reads before it, and the reads after it for the write', async () => {
  const { running, settle } = byHand(['read a', 'write b', 'read c'])
  expect(running()).toEqual(['read a'])
  await settle('read a')
  expect(running()).toEqual(['read a', 'write b'])
  await settle('write b')
  expect(running()).toEqual(['read a', 'write b', 'read c'])
})

test('S1: without a mode calls run one at a time', async () => {
  const { running, settle } = byHand(['read a', 'read b'], { mode: undefined })
  expect(running()).toEqual(['read a'])
  await settle('read a')
  expect(running()).toEqual(['read a', 'read b'])
})

test('S7: what a body throws is its outcome, and stops nobody', async () => {
  const lost = new Error('file not found')
  const { run, commits, settle } = byHand(['read a', 'read b'])
  await settle('read a', lost)
  await settle('read b')
  expect(commits).toEqual([['read a', { kind: 'error', error: lost }], value('read b')])
  expect(await run).toMatchObject({ started: 2 })
})

test('a body may answer, or throw, at once', async () => {
  const commits: unknown[] = []
  const broken = new Error('broken')
  const run = runCalls([1, 2], {
    run(call) {
      if (call === 2) throw broken
      return call * 10
    },
    commit: (_call, outcome) => commits.push(outcome),
  })
  expect(commits).toEqual([
    { kind: 'value', value: 10 },
    { kind: 'error', error: broken },
  ])
  await run
})

type Settle = (outcome: string | Error) => void

/** What a body may answer that is no promise of the platform's, and misbehaves. */
const hostileThenables: [string, (resolve: Settle, reject: Settle) => void, CallOutcome<string>][] = [
  [
    'calls back twice',
    (resolve, reject) => {
      resolve('first')
      resolve('second')
      reject(new Error('third'))
    },
    { kind: 'value', value: 'first' },
  ],
  [
    'throws',
    () => {
      throw new Error('no')
    },
    { kind: 'error', error: new Error('no') },
  ],
  [
    'calls back and then throws',
    resolve => {
      resolve('first')
      throw new Error('no')
    },
    { kind: 'value', value: 'first' },
  ],
]

test.each(hostileThenables)('S6, S7: a body whose thenable %s has one outcome', async (_, then, outcome) => {
  const commits: CallOutcome<string>[] = []
  const summary = await runCalls(['hostile', 'tame'], {
    run: call => (call === 'tame' ? 'tame' : ({ then } as unknown as PromiseLike<string>)),
    commit: (_call, committed) => commits.push(committed),
  })
  expect(commits).toEqual([outcome, { kind: 'value', value: 'tame' }])
  expect(summary).toEqual({ aborted: false, started: 2, skipped: 0 })
})

test('S8: after the abort what runs commits its value and the rest is skipped', async () => {
  const controller = new AbortController()
  const { run, commits, settle } = byHand(['read a', 'write b', 'read c'], { signal: controller.signal })
  controller.abort()
  await settle('read a')
  expect(await run).toEqual({ aborted: true, started: 1, skipped: 2 })
  expect(commits).toEqual([
    value('read a'),
    ['write b', { kind: 'skipped' }],
    ['read c', { kind: 'skipped' }],
  ])
})

test('S8, S12: a call that was waiting for its key never ran, and says so', async () => {
  const controller = new AbortController()
  const mode = () => ({ kind: 'parallel', key: 'file' }) as const
  const { run, commits, running, settle } = byHand(['edit a', 'edit b'], { signal: controller.signal, mode })
  expect(running()).toEqual(['edit a'])
  controller.abort()
  await settle('edit a')
  expect(await run).toEqual({ aborted: true, started: 1, skipped: 1 })
  expect(commits).toEqual([value('edit a'), ['edit b', { kind: 'skipped' }]])
})

test('S11: what outlives the grace is unknown, and its truth is told late', async () => {
  const controller = new AbortController()
  const clock = createHandClock()
  const options = { signal: controller.signal, abortGraceMs: 50, startTimer: clock.startTimer }
  const { run, commits, late, settle } = byHand(['read a'], options)
  controller.abort()
  clock.advance(49)
  expect(commits).toEqual([])
  clock.advance(1)
  expect(await run).toEqual({ aborted: true, started: 1, skipped: 0 })
  expect(commits).toEqual([['read a', { kind: 'unknown' }]])
  await settle('read a')
  expect(late).toEqual([value('read a')])
})

test('S11: nobody has to listen to late truth', async () => {
  const controller = new AbortController()
  const clock = createHandClock()
  const options = {
    signal: controller.signal,
    abortGraceMs: 0,
    startTimer: clock.startTimer,
    late: undefined,
  }
  const { run, commits, settle } = byHand(['read a'], options)
  controller.abort()
  clock.advance(0)
  await run
  await settle('read a')
  expect(commits).toEqual([['read a', { kind: 'unknown' }]])
})

test('S9: an error in `commit` is a bug: the run drains, commits nothing more, and rejects with it', async () => {
  const full = new Error('disk full')
  let commits = 0
  const { run, running, settle } = byHand(['read a', 'read b', 'write c'], {
    commit() {
      commits += 1
      throw full
    },
  })
  await settle('read a')
  let rejected = false
  run.catch(() => (rejected = true))
  await Promise.resolve()
  expect(rejected).toBe(false)
  await settle('read b')
  await expect(run).rejects.toBe(full)
  expect(commits).toBe(1)
  expect(running()).toEqual(['read a', 'read b'])
})

test('the body is given the signal of the run', async () => {
  const controller = new AbortController()
  const signals: AbortSignal[] = []
  await runCalls([1], {
    signal: controller.signal,
    run: (_call, { signal }) => signals.push(signal),
    commit: () => undefined,
  })
  expect(signals[0]).toBe(controller.signal)
})

test('calls that are added to the list while it runs are not run', async () => {
  const calls = [1, 2]
  const ran: number[] = []
  await runCalls(calls, { run: call => ran.push(call), commit: call => calls.push(call + 10) })
  expect(ran).toEqual([1, 2])
})

test('no calls are no work', async () => {
  const options = { run: () => 1, commit: () => expect.unreachable() }
  expect(await runCalls([], options)).toEqual({ aborted: false, started: 0, skipped: 0 })
  expect(await runCalls([], { ...options, signal: AbortSignal.abort() })).toEqual({
    aborted: true,
    started: 0,
    skipped: 0,
  })
})
