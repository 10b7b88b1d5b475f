import { HarnessError } from '@agent-spine/schema'
import { expect, it, vi } from 'vitest'
import { deferred } from './deferred.js'
import {
  createToolRuntime,
  defineTool,
  type Tool,
  type ToolContext,
  type ToolHooks,
  type ToolRuntime,
} from './index.js'
import { microtasks, runBatch, textOf, toolCall } from './testing/batch-run.js'
import { handClock } from './testing/hand-clock.js'

type Body = (context: ToolContext) => unknown

function tool(
  execute: Body,
  options: { timeoutMs?: number; name?: string; key?: string; exclusive?: true } = {},
): Tool {
  const { timeoutMs, name = 'work', key, exclusive } = options
  return defineTool({
    name,
    description: 'd',
    parameters: {},
    isConcurrencySafe: () => !exclusive,
    ...(key !== undefined && { conflictKey: () => key }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    execute: (_, context) => execute(context),
  })
}

/** Settles when it is told to stop, like a well-behaved body. */
function stopping({ signal }: ToolContext): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })
}

function setUp(body: Body, options: { timeoutMs?: number; hooks?: ToolHooks | ToolHooks[] } = {}) {
  const { hooks = [], ...toolOptions } = options
  const clock = handClock()
  const controller = new AbortController()
  const execute = vi.fn(body)
  const runtime = createToolRuntime({ tools: [tool(execute, toolOptions)], hooks })
  const start = (bind = {}) =>
    runBatch(runtime, [toolCall('a', 'work')], {
      signal: controller.signal,
      bind: { startTimer: clock.startTimer, abortGraceMs: 500, ...bind },
    })
  return { clock, controller, execute, runtime, start }
}

it('B1 starts no body when the signal aborts while an execute hook waits, and does not wait for the hook', async () => {
  const gate = deferred<undefined>()
  const { controller, execute, start } = setUp(() => 'ran', {
    hooks: { execute: (_, next) => gate.promise.then(() => next()) },
  })
  const beforeBody = vi.fn()
  const run = start({ beforeBody })
  await microtasks()
  controller.abort()
  await run.done
  expect(run.outcomes.get('a')?.error?.code).toBe('ABORTED_BEFORE_DISPATCH')
  gate.resolve(undefined)
  await microtasks()
  expect(execute).not.toHaveBeenCalled()
  expect(beforeBody).not.toHaveBeenCalled()
  expect(run.events).toEqual(['start a', 'commit a'])
})

it('B1 starts no second body after the time limit', async () => {
  const { clock, execute, start } = setUp(stopping, {
    timeoutMs: 100,
    hooks: { execute: (_, next) => next().catch(() => next()) },
  })
  const run = start()
  await microtasks()
  clock.advance(100)
  await run.done
  expect(execute).toHaveBeenCalledTimes(1)
  expect(run.outcomes.get('a')?.error?.code).toBe('TIMEOUT')
})

it('B1 starts no body for a hook that calls next after it has answered', async () => {
  let again: (() => Promise<unknown>) | undefined
  const { execute, start } = setUp(() => 'ran', {
    hooks: {
      execute: (_, next) => {
        again = next
        return next()
      },
    },
  })
  await start().done
  await expect(again?.()).rejects.toMatchObject({ code: 'CALL_IS_OVER' })
  expect(execute).toHaveBeenCalledTimes(1)
})

it('B2 awaits beforeBody once, immediately before the body, also when a hook tries again', async () => {
  const order: string[] = []
  let attempt = 0
  const { start } = setUp(
    () => {
      order.push('body')
      if (attempt++ === 0) throw new Error('flaky')
      return 'ran'
    },
    {
      hooks: {
        execute: async (_, next) => {
          order.push('hook')
          return next().catch(() => next())
        },
      },
    },
  )
  const run = start({
    beforeBody: async (callId: string) => {
      order.push(`before ${callId}`)
      await Promise.resolve()
      order.push('durable')
    },
  })
  await run.done
  expect(order).toEqual(['hook', 'before a', 'durable', 'body', 'body'])
  expect(run.outcomes.get('a')?.value).toBe('ran')
})

it.each<[string, ToolHooks]>([
  ['no hook', {}],
  ['a hook that hides it', { execute: (_, next) => next().catch(() => 'fine') }],
  [
    'a hook that never ends',
    { execute: (_, next) => next().catch(() => new Promise<never>(() => undefined)) },
  ],
])('B2 reads the signal again after beforeBody, with %s', async (_, hooks) => {
  const durable = deferred<undefined>()
  const { controller, execute, start } = setUp(() => 'ran', { hooks })
  const run = start({ beforeBody: () => durable.promise })
  await microtasks()
  controller.abort()
  await microtasks()
  expect(run.outcomes.size).toBe(0)
  durable.resolve(undefined)
  await run.done
  expect(execute).not.toHaveBeenCalled()
  expect(run.outcomes.get('a')?.error?.code).toBe('ABORTED_BEFORE_DISPATCH')
})

it.each<[string, ToolHooks]>([
  ['no hook', {}],
  ['a hook that hides every error', { execute: (_, next) => next().catch(() => 'fine') }],
  [
    'a hook that never ends',
    { execute: (_, next) => next().catch(() => new Promise<never>(() => undefined)) },
  ],
])('B2 fails the batch when beforeBody fails, with %s', async (_, hooks) => {
  const disk = new Error('disk full')
  const { execute, start } = setUp(() => 'ran', { hooks })
  const run = start({ beforeBody: () => Promise.reject(disk) })
  await expect(run.done).rejects.toBe(disk)
  expect(execute).not.toHaveBeenCalled()
  expect(run.outcomes.size).toBe(0)
})

it('B1 B2 never says that a body ran which an abort in the very last moment kept from running', async () => {
  const { clock, controller, execute, start } = setUp(() => 'ran', { timeoutMs: 100 })
  const run = start({
    startTimer: (expire: () => void, delayMs: number) => {
      if (delayMs === 100) controller.abort()
      return clock.startTimer(expire, delayMs)
    },
  })
  await run.done
  expect(execute).not.toHaveBeenCalled()
  expect(run.outcomes.get('a')?.error?.code).toBe('ABORTED_BEFORE_DISPATCH')
})

it('B2 fails the batch when beforeBody fails after a hook has answered without waiting for it', async () => {
  const durable = deferred<undefined>()
  const disk = new Error('disk full')
  const { execute, start } = setUp(() => 'ran', {
    hooks: {
      execute: (_, next) => {
        next().catch(() => undefined)
        return Promise.resolve('cached')
      },
    },
  })
  const run = start({ beforeBody: () => durable.promise })
  await microtasks()
  expect(run.outcomes.size).toBe(0)
  durable.reject(disk)
  await expect(run.done).rejects.toBe(disk)
  expect(execute).not.toHaveBeenCalled()
})

it('abandons a call whose beforeBody outlives the grace as never run', async () => {
  const { clock, controller, execute, start } = setUp(() => 'ran')
  const durable = deferred<undefined>()
  const run = start({ beforeBody: () => durable.promise })
  await microtasks()
  controller.abort()
  await microtasks()
  clock.advance(500)
  await run.done
  expect(run.outcomes.get('a')?.error?.code).toBe('ABORTED_BEFORE_DISPATCH')
  durable.resolve(undefined)
  await microtasks()
  expect(execute).not.toHaveBeenCalled()
})

it('B3 stops the body with the caller’s signal, whatever signal a hook passes on', async () => {
  const { controller, start } = setUp(stopping, {
    hooks: { execute: (_, next) => next({ signal: new AbortController().signal }) },
  })
  const run = start()
  await microtasks()
  controller.abort()
  await run.done
  expect(run.outcomes.get('a')?.error).toEqual({ name: 'AbortError', code: 'ABORTED' })
})

it('B3 stops the body with the signal of any hook around it, and takes the hook’s word for why', async () => {
  const stop = new AbortController()
  const { start } = setUp(stopping, {
    hooks: [{ execute: (_, next) => next({ signal: stop.signal }) }, { execute: (_, next) => next() }],
  })
  const run = start()
  await microtasks()
  stop.abort(new HarnessError('QUOTA', 'quota used up'))
  await run.done
  expect(run.outcomes.get('a')?.error).toEqual({ name: 'HarnessError', code: 'QUOTA' })
})

it('B3 stops a body that a hook no longer waits for, and reports what the hook says', async () => {
  const { start } = setUp(stopping, {
    hooks: { execute: (_, next) => Promise.race([next(), Promise.reject(new Error('too slow'))]) },
  })
  const run = start()
  await run.done
  expect(textOf(run.outcomes.get('a'))).toBe('too slow')
})

it('B4 B5 reports the value of a body that finished although its hook had given up on it', async () => {
  const written = deferred<string>()
  const { start } = setUp(() => written.promise, {
    hooks: { execute: (_, next) => Promise.race([next(), Promise.reject(new Error('too slow'))]) },
  })
  const run = start()
  await microtasks()
  expect(run.outcomes.size).toBe(0)
  written.resolve('written')
  await run.done
  expect(run.outcomes.get('a')?.value).toBe('written')
})

it('B4 reports an unknown outcome, and the truth later, for a body that outlives the patience after its hook gave up', async () => {
  const written = deferred<string>()
  const { clock, start } = setUp(() => written.promise, {
    hooks: { execute: (_, next) => Promise.race([next(), Promise.reject(new Error('too slow'))]) },
  })
  const run = start()
  await microtasks()
  clock.advance(500)
  await microtasks()
  expect(run.outcomes.get('a')?.error?.code).toBe('TOOL_OUTCOME_UNKNOWN')
  written.resolve('written')
  await microtasks()
  expect(run.late.get('a')?.outcome.value).toBe('written')
})

it('B5 keeps a value that was returned after the abort: a finished side effect is never reported as aborted', async () => {
  const written = deferred<string>()
  const { controller, start } = setUp(() => written.promise)
  const run = start()
  await microtasks()
  controller.abort()
  written.resolve('written')
  await run.done
  expect(run.outcomes.get('a')).toMatchObject({ value: 'written' })
  expect(run.outcomes.get('a')?.isError).toBeUndefined()
})

it('B5 keeps a value that was returned after the time limit', async () => {
  const written = deferred<string>()
  const { clock, start } = setUp(() => written.promise, { timeoutMs: 100 })
  const run = start()
  await microtasks()
  clock.advance(100)
  written.resolve('written')
  await run.done
  expect(run.outcomes.get('a')?.value).toBe('written')
  expect(clock.pending).toBe(0)
})

it('starts the time limit with the body, not with beforeBody', async () => {
  const durable = deferred<undefined>()
  const { clock, start } = setUp(stopping, { timeoutMs: 100 })
  const run = start({ beforeBody: () => durable.promise })
  await microtasks()
  expect(clock.pending).toBe(0)
  durable.resolve(undefined)
  await microtasks()
  clock.advance(99)
  await microtasks()
  expect(run.outcomes.size).toBe(0)
  clock.advance(1)
  await run.done
  expect(run.outcomes.get('a')?.error).toEqual({ name: 'ToolError', code: 'TIMEOUT' })
  expect(textOf(run.outcomes.get('a'))).toContain('100 ms')
})

it('keeps an error of the body’s own, also after the time limit and after the abort', async () => {
  const failing = ({ signal }: ToolContext): Promise<never> =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new RangeError('half written')))
    })
  const timed = setUp(failing, { timeoutMs: 100 })
  const timedRun = timed.start()
  await microtasks()
  timed.clock.advance(100)
  await timedRun.done
  expect(timedRun.outcomes.get('a')?.error).toEqual({ name: 'RangeError' })

  const cancelled = setUp(failing)
  const cancelledRun = cancelled.start()
  await microtasks()
  cancelled.controller.abort()
  await cancelledRun.done
  expect(cancelledRun.outcomes.get('a')?.error).toEqual({ name: 'RangeError' })
})

it('takes an AbortError for an abort only after the abort', async () => {
  const { start } = setUp(() => {
    throw new DOMException('stopped by itself', 'AbortError')
  })
  const run = start()
  await run.done
  expect(run.outcomes.get('a')?.error).toEqual({ name: 'AbortError' })
})

it('takes a wrapped AbortError after the abort for the abort', async () => {
  const { controller, start } = setUp(
    ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new DOMException('fetch stopped', 'AbortError')))
      }),
  )
  const run = start()
  await microtasks()
  controller.abort('user')
  await run.done
  expect(run.outcomes.get('a')?.error?.code).toBe('ABORTED')
})

it('answers a timeout with an unknown outcome after the grace, and the truth later', async () => {
  const written = deferred<string>()
  const { clock, start } = setUp(() => written.promise, { timeoutMs: 100 })
  const run = start()
  await microtasks()
  clock.advance(100)
  await microtasks()
  clock.advance(499)
  await microtasks()
  expect(run.outcomes.size).toBe(0)
  clock.advance(1)
  await microtasks()
  expect(run.outcomes.get('a')?.error).toEqual({ name: 'ToolError', code: 'TOOL_OUTCOME_UNKNOWN' })
  written.resolve('written')
  await run.done
  await microtasks()
  expect(run.late.get('a')).toMatchObject({ ran: true, outcome: { value: 'written' } })
  expect(run.events).toEqual(['start a', 'commit a', 'late a'])
})

it('abandons a body that ignores the abort as unknown, and tells the truth once', async () => {
  const written = deferred<string>()
  const { clock, controller, start } = setUp(() => written.promise, { timeoutMs: 200 })
  const run = start()
  await microtasks()
  controller.abort()
  await microtasks()
  // The scheduler's grace; the time limit has no say any more.
  expect(clock.pending).toBe(1)
  clock.advance(500)
  await run.done
  expect(run.outcomes.get('a')?.error?.code).toBe('TOOL_OUTCOME_UNKNOWN')
  expect(clock.pending).toBe(0)
  written.resolve('written')
  await microtasks()
  expect(run.events).toEqual(['start a', 'commit a', 'late a'])
  expect(run.late.get('a')?.outcome.value).toBe('written')
})

it('B7 leaves no listener on the caller’s signal, however a call ends', async () => {
  const controller = new AbortController()
  const add = vi.spyOn(controller.signal, 'addEventListener')
  const remove = vi.spyOn(controller.signal, 'removeEventListener')
  const hooks: ToolHooks = { execute: (_, next) => next({ signal: new AbortController().signal }) }
  const runtime = createToolRuntime({
    tools: [
      tool(() => 'ran'),
      tool(
        () => {
          throw new Error('no')
        },
        { name: 'fail' },
      ),
    ],
    hooks,
  })
  await runBatch(runtime, [toolCall('a', 'work'), toolCall('b', 'fail')], { signal: controller.signal }).done
  const listening = new Set(add.mock.calls.map(([, listener]) => listener))
  for (const [, listener] of remove.mock.calls) listening.delete(listener)
  expect(add).toHaveBeenCalled()
  expect(listening.size).toBe(0)
})

it('B7 leaves no listener on the signal of a hook, nor on the caller’s while a guess waits for its truth', async () => {
  const long = new AbortController()
  const written = deferred<string>()
  const { clock, controller, start } = setUp(() => written.promise, {
    timeoutMs: 100,
    hooks: [{ execute: (_, next) => next({ signal: long.signal }) }, { execute: (_, next) => next() }],
  })
  const counts = [controller.signal, long.signal].map(signal => {
    const add = vi.spyOn(signal, 'addEventListener')
    const remove = vi.spyOn(signal, 'removeEventListener')
    return () => add.mock.calls.length - remove.mock.calls.length
  })
  const run = start()
  await microtasks()
  expect(counts.map(count => count() > 0)).toEqual([true, true])
  clock.advance(100)
  await microtasks()
  clock.advance(500)
  await run.done
  expect(counts[0]?.()).toBe(0)
  written.resolve('written')
  await microtasks()
  expect(counts[1]?.()).toBe(0)
})

it('B7 puts one listener on the caller’s signal for all the bodies of a batch, and tells each of them once', async () => {
  const controller = new AbortController()
  const add = vi.spyOn(controller.signal, 'addEventListener')
  const remove = vi.spyOn(controller.signal, 'removeEventListener')
  const aborted: string[] = []
  const body = ({ signal, callId }: ToolContext): Promise<never> =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        aborted.push(callId)
        reject(signal.reason as Error)
      })
    })
  const runtime = createToolRuntime({ tools: [tool(body), tool(() => 'ran', { name: 'quick' })] })
  const calls = Array.from('abcdefghij', id => toolCall(id, id === 'c' ? 'quick' : 'work'))
  const run = runBatch(runtime, calls, { signal: controller.signal })
  await microtasks()
  // The scheduler's own, and one for the bodies: Node warns of more than ten.
  expect(add).toHaveBeenCalledTimes(2)
  controller.abort()
  await run.done
  expect(aborted).toEqual(['a', 'b', 'd', 'e', 'f', 'g', 'h', 'i', 'j'])
  expect([...run.outcomes].map(([, { error }]) => error?.code)).toEqual(
    calls.map(({ name }) => (name === 'quick' ? undefined : 'ABORTED')),
  )
  expect(remove).toHaveBeenCalled()
})

it('gives a body a signal that a copy of its context has too', async () => {
  const signals: AbortSignal[] = []
  const { start } = setUp(context => {
    const { signal } = context
    signals.push(signal, context.signal, { ...context }.signal)
  })
  await start().done
  expect(signals[0]).toBeInstanceOf(AbortSignal)
  expect(new Set(signals).size).toBe(1)
})

it('gives a body that asks only after the abort a signal that has aborted, with the caller’s reason', async () => {
  const asked = deferred<undefined>()
  const { controller, start } = setUp(async context => {
    await asked.promise
    throw context.signal.reason
  })
  const run = start()
  await microtasks()
  controller.abort(new Error('enough'))
  asked.resolve(undefined)
  await run.done
  expect(run.outcomes.get('a')?.error?.code).toBe('ABORTED')
})

it('B7 drops the rejection of a body that settles after everything', async () => {
  const body = deferred<never>()
  const { clock, controller, start } = setUp(() => body.promise)
  const run = start()
  await microtasks()
  controller.abort()
  await microtasks()
  clock.advance(500)
  await run.done
  body.reject(new Error('very late'))
  await microtasks()
  expect(textOf(run.late.get('a')?.outcome)).toBe('very late')
})

it('keeps two calls of one body apart', async () => {
  const runtime: ToolRuntime = createToolRuntime({ tools: [tool(({ callId }) => callId)] })
  const run = runBatch(runtime, [toolCall('a', 'work'), toolCall('b', 'work')])
  await run.done
  expect([...run.outcomes.values()].map(outcome => outcome.value)).toEqual(['a', 'b'])
})

it('lets a hook answer in place of the body, and checks its value like any other', async () => {
  const { execute, start } = setUp(() => 'ran', { hooks: { execute: () => Promise.resolve(NaN) } })
  const run = start()
  await run.done
  expect(execute).not.toHaveBeenCalled()
  expect(run.outcomes.get('a')?.error?.code).toBe('INVALID_TOOL_OUTPUT')
})

it('gives hooks a signal that aborts with the call, and nests them in order', async () => {
  const order: string[] = []
  const hook = (name: string): ToolHooks => ({
    execute: async (call, next) => {
      order.push(`${name} ${call.callId} ${call.signal.aborted}`)
      const value = await next()
      order.push(`${name} done`)
      return value
    },
  })
  const { start } = setUp(() => 'ran', { hooks: [hook('outer'), {}, hook('inner')] })
  await start().done
  expect(order).toEqual(['outer a false', 'inner a false', 'inner done', 'outer done'])
})
