import { expect, it, vi } from 'vitest'
import { deferred } from './deferred.js'
import { createToolRuntime, defineTool, type Tool } from './index.js'
import { microtasks, runBatch, textOf, toolCall } from './testing/batch-run.js'
import { handClock } from './testing/hand-clock.js'

interface Options {
  readonly key?: string
  readonly exclusive?: true
  readonly timeoutMs?: number
}

function tool(name: string, execute: () => unknown, { key, exclusive, timeoutMs }: Options = {}): Tool {
  return defineTool({
    name,
    description: 'd',
    parameters: {},
    isConcurrencySafe: () => !exclusive,
    ...(key !== undefined && { conflictKey: () => key }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    execute,
  })
}

/** A body of mode `stuck` is left running by its time limit; then a call of mode `next` comes, in a batch of its own. */
async function raceLeftBody(stuck: Options, next: Options) {
  const clock = handClock()
  const body = deferred<string>()
  const nextBody = vi.fn(() => 'ran')
  const approve = vi.fn(() => ({ kind: 'allow' }) as const)
  const runtime = createToolRuntime({
    tools: [tool('stuck', () => body.promise, { ...stuck, timeoutMs: 100 }), tool('next', nextBody, next)],
    hooks: { preExecute: ({ tool: { name } }) => (name === 'next' ? { kind: 'ask' } : { kind: 'allow' }) },
    approve,
  })
  const bind = { startTimer: clock.startTimer, abortGraceMs: 500 }
  const first = runBatch(runtime, [toolCall('a', 'stuck')], { bind })
  await microtasks()
  clock.advance(100)
  await microtasks()
  clock.advance(500)
  await microtasks()
  expect(first.outcomes.get('a')?.error?.code).toBe('TOOL_OUTCOME_UNKNOWN')

  const beforeBody = vi.fn()
  const blocked = runBatch(runtime, [toolCall('b', 'next')], { bind: { ...bind, beforeBody } })
  await blocked.done
  const outcome = blocked.outcomes.get('b')
  const ranWhileBusy = nextBody.mock.calls.length > 0
  body.resolve('at last')
  await microtasks()
  const after = runBatch(runtime, [toolCall('c', 'next')], { bind })
  await after.done
  return {
    outcome,
    ranWhileBusy,
    marked: beforeBody.mock.calls.length > 0,
    approve,
    after: after.outcomes.get('c'),
  }
}

it.each<[string, Options, string, Options, boolean]>([
  ['parallel', {}, 'a parallel one', {}, false],
  ['parallel', {}, 'an exclusive one', { exclusive: true }, true],
  ['keyed', { key: 'k' }, 'one with its key', { key: 'k' }, true],
  ['keyed', { key: 'k' }, 'one with another key', { key: 'l' }, false],
  ['keyed', { key: 'k' }, 'one without a key', {}, false],
  ['keyed', { key: 'k' }, 'an exclusive one', { exclusive: true }, true],
  ['exclusive', { exclusive: true }, 'a parallel one', {}, true],
  ['exclusive', { exclusive: true }, 'a keyed one', { key: 'k' }, true],
])('a %s %o body left running and %s %o: blocked %s', async (...[, stuck, , next, blocked]) => {
  const { outcome, ranWhileBusy, marked, approve, after } = await raceLeftBody(stuck, next)
  expect(ranWhileBusy).toBe(!blocked)
  expect(marked).toBe(!blocked)
  expect(outcome?.error?.code).toBe(blocked ? 'RESOURCE_BUSY' : undefined)
  if (blocked) expect(textOf(outcome)).toMatch(/did not run.*"stuck" \(a\)/)
  // Nobody is asked about a call that cannot run.
  expect(approve).toHaveBeenCalledTimes(blocked ? 1 : 2)
  // The block ends when the body really settles.
  expect(after?.value).toBe('ran')
})

it('blocks after an abandonment too, until the body settles', async () => {
  const clock = handClock()
  const body = deferred<string>()
  const controller = new AbortController()
  const runtime = createToolRuntime({
    tools: [tool('stuck', () => body.promise, { exclusive: true }), tool('next', () => 'ran')],
  })
  const bind = { startTimer: clock.startTimer, abortGraceMs: 500 }
  const first = runBatch(runtime, [toolCall('a', 'stuck')], { bind, signal: controller.signal })
  await microtasks()
  controller.abort()
  await microtasks()
  clock.advance(500)
  await first.done
  expect((await runtime.execute(toolCall('b', 'next'))).error?.code).toBe('RESOURCE_BUSY')
  expect((await runtime.withTools(() => true).execute(toolCall('b', 'next'))).error?.code).toBe(
    'RESOURCE_BUSY',
  )
  body.resolve('at last')
  await microtasks()
  expect((await runtime.execute(toolCall('c', 'next'))).value).toBe('ran')
})

it('checks again before the body, for a call that was prepared before the body was left running', async () => {
  const clock = handClock()
  const body = deferred<string>()
  const next = vi.fn(() => 'ran')
  const runtime = createToolRuntime({
    tools: [
      tool('stuck', () => body.promise, { key: 'k', timeoutMs: 100 }),
      tool('next', next, { key: 'k' }),
    ],
  })
  const run = runBatch(runtime, [toolCall('a', 'stuck'), toolCall('b', 'next')], {
    bind: { startTimer: clock.startTimer, abortGraceMs: 500 },
  })
  await microtasks()
  expect(run.events).toEqual(['start a', 'start b'])
  clock.advance(100)
  await microtasks()
  clock.advance(500)
  await microtasks()
  expect(run.outcomes.get('b')?.error?.code).toBe('RESOURCE_BUSY')
  expect(next).not.toHaveBeenCalled()
  body.resolve('at last')
  await run.done
})

it('stays blocked after a hook’s value until the body that the hook left behind has settled', async () => {
  const body = deferred<string>()
  const runtime = createToolRuntime({
    tools: [tool('stuck', () => body.promise, { exclusive: true }), tool('next', () => 'ran')],
    hooks: {
      execute: ({ tool: { name } }, next) =>
        name === 'stuck' ? Promise.race([next(), Promise.resolve('cached')]) : next(),
    },
  })
  const first = await runtime.execute(toolCall('a', 'stuck'))
  expect(first.value).toBe('cached')
  expect((await runtime.execute(toolCall('b', 'next'))).error?.code).toBe('RESOURCE_BUSY')
  body.reject(new Error('stopped'))
  await microtasks()
  expect((await runtime.execute(toolCall('c', 'next'))).value).toBe('ran')
})
