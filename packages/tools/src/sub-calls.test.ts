import { expect, it, vi } from 'vitest'
import { deferred } from './deferred.js'
import {
  createToolRuntime,
  defineTool,
  type SubCallEvent,
  type SubCallRequest,
  type Tool,
  type ToolContext,
  type ToolOutcome,
  type ToolRuntimeOptions,
} from './index.js'
import { microtasks, runBatch, textOf, toolCall } from './testing/batch-run.js'
import { handClock } from './testing/hand-clock.js'

/** A tool whose body is `body`, and a tool whose body it may call. */
function setUp(
  body: (context: ToolContext) => unknown,
  leaf: (args: { id: number }, context: ToolContext) => unknown = ({ id }) => id,
  options: ToolRuntimeOptions = {},
) {
  const parent: Tool = defineTool({
    name: 'parent',
    description: 'd',
    parameters: {},
    execute: (_, context) => body(context),
  })
  const child: Tool = defineTool({
    name: 'leaf',
    description: 'd',
    parameters: { id: { type: 'integer', required: true }, alone: { type: 'boolean' } },
    isConcurrencySafe: ({ alone }) => alone !== true,
    execute: leaf,
  })
  return createToolRuntime({ tools: [parent, child], ...options })
}

const leaves = (...ids: number[]): SubCallRequest[] => ids.map(id => ({ name: 'leaf', arguments: { id } }))

const values = (outcomes: readonly ToolOutcome[]): unknown[] =>
  outcomes.map(outcome => outcome.value ?? outcome.error?.code ?? null)

/** One line per event. */
function describe(event: SubCallEvent): string {
  if (event.kind === 'call') return `call ${event.call.callId}${event.skipped ? ' skipped' : ''}`
  return `result ${event.call.callId}${event.late ? ' late' : ''}`
}

it('runs calls under the same rules and answers their outcomes in order', async () => {
  const runtime = setUp(async ({ callTools }) =>
    values(
      await callTools([
        ...leaves(1),
        { name: 'leaf', arguments: '{"id":2}' },
        { name: 'leaf', arguments: { id: 'x' } },
        { name: 'leef', arguments: {} },
        { name: 'leaf', arguments: '{"id":' },
      ]),
    ),
  )
  const outcome = await runtime.execute(toolCall('a', 'parent'))
  expect(outcome.value).toEqual([1, 2, 'INVALID_ARGS', 'UNKNOWN_TOOL', 'INVALID_ARGS'])
})

it('overlaps calls up to its own cap, lets exclusive ones run alone, and keeps their order', async () => {
  const gates = new Map<number, () => void>()
  const runtime = setUp(
    async ({ callTools }) =>
      values(await callTools([...leaves(1, 2, 3), { name: 'leaf', arguments: { id: 4, alone: true } }])),
    ({ id }) => new Promise(resolve => gates.set(id, () => resolve(id))),
  )
  const run = runBatch(runtime, [toolCall('a', 'parent')], {
    maxParallel: 1,
    bind: { maxParallelSubCalls: 2 },
  })
  await microtasks()
  expect([...gates.keys()]).toEqual([1, 2])
  gates.get(2)?.()
  await microtasks()
  expect([...gates.keys()]).toEqual([1, 2, 3])
  gates.get(3)?.()
  await microtasks()
  expect(gates.has(4)).toBe(false)
  gates.get(1)?.()
  await microtasks()
  gates.get(4)?.()
  await run.done
  expect(run.outcomes.get('a')?.value).toEqual([1, 2, 3, 4])
})

it('asks hooks and the approver about calls of a body too, and names the parent', async () => {
  const asked = vi.fn(() => ({ kind: 'deny', reason: 'not now' }) as const)
  const parents: unknown[] = []
  const runtime = setUp(async ({ callTools }) => values(await callTools(leaves(1))), undefined, {
    hooks: {
      preExecute: ({ tool, parentCallId }) => {
        parents.push(parentCallId)
        return tool.name === 'leaf' ? { kind: 'ask' } : { kind: 'allow' }
      },
    },
    approve: asked,
  })
  expect((await runtime.execute(toolCall('a', 'parent'))).value).toEqual(['DENIED'])
  expect(asked).toHaveBeenCalledTimes(1)
  expect(parents).toEqual([undefined, 'a'])
})

it('reports every call before its result, with ids that no model can use, also on a second round', async () => {
  const events: SubCallEvent[] = []
  const runtime = setUp(async ({ callTools }) => {
    await callTools(leaves(1, 2))
    await callTools(leaves(3))
  })
  const beforeBody = vi.fn()
  await runtime.execute(toolCall('a', 'parent'), { subCall: event => events.push(event), beforeBody })
  expect(events.map(describe)).toEqual([
    'call a.0',
    'call a.1',
    'result a.0',
    'result a.1',
    'call a.2',
    'result a.2',
  ])
  expect(events.every(event => event.parentCallId === 'a')).toBe(true)
  expect(beforeBody.mock.calls).toEqual([['a']])
})

it('cancels calls with their parent, and skips those that had not started', async () => {
  const events: SubCallEvent[] = []
  const controller = new AbortController()
  const runtime = setUp(
    async ({ callTools }) => values(await callTools(leaves(1, 2))),
    (_, { signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      }),
  )
  const run = runBatch(runtime, [toolCall('a', 'parent')], {
    signal: controller.signal,
    bind: { subCall: event => events.push(event), maxParallelSubCalls: 1 },
  })
  await microtasks()
  controller.abort()
  await run.done
  expect(run.outcomes.get('a')?.value).toEqual(['ABORTED', 'ABORTED_BEFORE_DISPATCH'])
  expect(events.map(describe)).toEqual(['call a.0', 'result a.0', 'call a.1 skipped', 'result a.1'])
})

it('cancels and awaits calls that the body did not wait for, and refuses new ones', async () => {
  let left: ToolContext['callTools'] | undefined
  const stopped = vi.fn()
  const runtime = setUp(
    ({ callTools }) => {
      left = callTools
      void callTools(leaves(1))
      return 'done'
    },
    (_, { signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          stopped()
          reject(signal.reason as Error)
        })
      }),
  )
  const events: SubCallEvent[] = []
  const outcome = await runtime.execute(toolCall('a', 'parent'), { subCall: event => events.push(event) })
  expect(outcome.value).toBe('done')
  expect(events.map(describe)).toEqual(['call a.0', 'result a.0'])
  expect(stopped).toHaveBeenCalledTimes(1)
  await expect(left?.(leaves(2))).rejects.toMatchObject({ code: 'CALL_IS_OVER' })
})

it('reports the truth later about a call that ignored its signal', async () => {
  const clock = handClock()
  const body = deferred<number>()
  const controller = new AbortController()
  const events: SubCallEvent[] = []
  const runtime = setUp(
    async ({ callTools }) => values(await callTools(leaves(1))),
    () => body.promise,
  )
  const run = runBatch(runtime, [toolCall('a', 'parent')], {
    signal: controller.signal,
    bind: { startTimer: clock.startTimer, abortGraceMs: 500, subCall: event => events.push(event) },
  })
  await microtasks()
  controller.abort()
  await microtasks()
  clock.advance(500)
  await run.done
  expect(run.outcomes.get('a')?.error?.code).toBe('TOOL_OUTCOME_UNKNOWN')
  body.resolve(7)
  await microtasks()
  expect(events.map(describe)).toEqual(['call a.0', 'result a.0', 'result a.0 late'])
  const last = events.at(-1)
  expect(last?.kind === 'result' && last.outcome.value).toBe(7)
})

it('does not change the answer that a body has when the truth about a guess comes', async () => {
  const clock = handClock()
  const [leafBody, parentBody] = [deferred<string>(), deferred<undefined>()]
  const leaf = defineTool({
    name: 'leaf',
    description: 'd',
    parameters: { id: { type: 'integer' } },
    timeoutMs: 100,
    execute: () => leafBody.promise,
  })
  const parent = defineTool({
    name: 'parent',
    description: 'd',
    parameters: {},
    execute: async (_, { callTools }) => {
      const outcomes = await callTools(leaves(1))
      await parentBody.promise
      return values(outcomes)
    },
  })
  const events: SubCallEvent[] = []
  const run = runBatch(createToolRuntime({ tools: [leaf, parent] }), [toolCall('a', 'parent')], {
    bind: { startTimer: clock.startTimer, abortGraceMs: 500, subCall: event => events.push(event) },
  })
  await microtasks()
  clock.advance(100)
  await microtasks()
  clock.advance(500)
  await microtasks()
  leafBody.resolve('at last')
  await microtasks()
  expect(events.map(describe)).toEqual(['call a.0', 'result a.0', 'result a.0 late'])
  parentBody.resolve(undefined)
  await run.done
  expect(run.outcomes.get('a')?.value).toEqual(['TOOL_OUTCOME_UNKNOWN'])
})

it('leaves no listener on the signal of the body', async () => {
  let listening = 0
  const runtime = setUp(async ({ signal, callTools }) => {
    const add = vi.spyOn(signal, 'addEventListener')
    const remove = vi.spyOn(signal, 'removeEventListener')
    await callTools(leaves(1, 2))
    expect(add).toHaveBeenCalled()
    listening = add.mock.calls.length - remove.mock.calls.length
  })
  const outcome = await runtime.execute(toolCall('a', 'parent'))
  expect(outcome.isError).toBeUndefined()
  expect(listening).toBe(0)
})

it.each<[string, (context: ToolContext) => unknown]>([
  ['does not catch it', ({ callTools }) => callTools(leaves(1)).then(values)],
  ['catches it', ({ callTools }) => callTools(leaves(1)).then(values, () => 'fine')],
  ['does not wait for it', ({ callTools }) => void callTools(leaves(1)).catch(() => undefined)],
])('fails the batch when the log refuses a sub-call, whose body %s', async (_, body) => {
  const log = new Error('log closed')
  const leaf = vi.fn(() => 1)
  const runtime = setUp(body, leaf)
  const subCall = (): never => {
    throw log
  }
  await expect(runtime.execute(toolCall('a', 'parent'), { subCall })).rejects.toBe(log)
  expect(leaf).not.toHaveBeenCalled()
})

it('fails the batch when the log refuses a sub-call and the body then outlives its time limit', async () => {
  const log = new Error('log closed')
  const clock = handClock()
  const tool = defineTool({
    name: 'parent',
    description: 'd',
    parameters: {},
    timeoutMs: 100,
    execute: (_, { callTools }) => callTools(leaves(1)).catch(() => new Promise(() => undefined)),
  })
  const subCall = (): never => {
    throw log
  }
  const run = runBatch(createToolRuntime({ tools: [tool] }), [toolCall('a', 'parent')], {
    bind: { startTimer: clock.startTimer, abortGraceMs: 500, subCall },
  })
  await microtasks()
  clock.advance(100)
  await microtasks()
  clock.advance(500)
  await expect(run.done).rejects.toBe(log)
})

it('fails the batch when the log refuses a call two levels down', async () => {
  const log = new Error('log closed')
  const runtime = setUp(
    ({ callTools }) => callTools(leaves(1)).then(values),
    (_, { callTools }) => callTools([{ name: 'leef', arguments: {} }]).then(values, () => 'fine'),
  )
  const subCall = (event: SubCallEvent): void => {
    if (event.call.callId === 'a.0.0') throw log
  }
  await expect(runtime.execute(toolCall('a', 'parent'), { subCall })).rejects.toBe(log)
})

it('gives contexts of calls to the parent, and concludes the turn only if both succeed', async () => {
  const leaf = (_: unknown, { deferContext, concludeTurn }: ToolContext): void => {
    deferContext('from the leaf')
    concludeTurn()
  }
  const seen: string[] = []
  const bind = {
    context: (callId: string, message: unknown) => seen.push(`${callId} ${String(message)}`),
    concludeTurn: (callId: string) => seen.push(`${callId} concludes`),
  }
  const succeeding = setUp(({ callTools }) => callTools(leaves(1)).then(values), leaf)
  await succeeding.execute(toolCall('a', 'parent'), bind)
  expect(seen).toEqual(['a from the leaf', 'a concludes'])
  seen.length = 0
  const failing = setUp(async ({ callTools }) => {
    await callTools(leaves(1))
    throw new Error('no')
  }, leaf)
  const outcome = await failing.execute(toolCall('b', 'parent'), bind)
  expect(seen).toEqual(['b from the leaf'])
  expect(textOf(outcome)).toBe('no')
})

it('keeps a value that arrives before the parent is stopped by its time limit', async () => {
  const clock = handClock()
  const tool = defineTool({
    name: 'parent',
    description: 'd',
    parameters: {},
    timeoutMs: 100,
    execute: (_, { callTools }) => callTools(leaves(1)).then(values),
  })
  const leaf = defineTool({
    name: 'leaf',
    description: 'd',
    parameters: { id: { type: 'integer' } },
    execute: (_, { signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      }),
  })
  const run = runBatch(createToolRuntime({ tools: [tool, leaf] }), [toolCall('a', 'parent')], {
    bind: { startTimer: clock.startTimer },
  })
  await microtasks()
  clock.advance(100)
  await run.done
  expect(run.outcomes.get('a')?.value).toEqual(['ABORTED'])
})
