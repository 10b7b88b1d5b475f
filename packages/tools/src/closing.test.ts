import { expect, it } from 'vitest'
import { deferred } from './deferred.js'
import {
  createToolRuntime,
  defineTool,
  type PostDecision,
  type ToolHooks,
  type ToolRuntimeOptions,
} from './index.js'
import { microtasks, runBatch, textOf, toolCall } from './testing/batch-run.js'
import { handClock } from './testing/hand-clock.js'

/** A tool that succeeds, and one that takes an argument and fails. */
function setUp(options: ToolRuntimeOptions) {
  const read = defineTool({ name: 'read', description: 'd', parameters: {}, execute: () => 'secret' })
  const failing = defineTool({
    name: 'fail',
    description: 'd',
    parameters: { needed: { type: 'string' } },
    execute: () => {
      throw new Error('no')
    },
  })
  return createToolRuntime({ tools: [read, failing], ...options })
}

function post(decide: () => PostDecision): ToolHooks {
  return { postExecute: decide }
}

it('F3 gives a tool the last word on content, of errors too, before it is bounded', async () => {
  const tool = defineTool({
    name: 'read',
    description: 'd',
    parameters: { needed: { type: 'string', required: true } },
    finalizeContent: (content, { isError }) => [
      ...content,
      { type: 'text', text: isError ? 'hint' : 'x'.repeat(5000) },
    ],
    execute: () => 'ran',
  })
  const runtime = createToolRuntime({ tools: [tool], maxResultBytes: 1024 })
  expect(textOf(await runtime.execute(toolCall('a', 'read')))).toMatch(/^invalid arguments.*\nhint$/s)
  const text = textOf(await runtime.execute(toolCall('a', 'read', { needed: '' })))
  expect(text).toMatch(/^ran\nxxx.*cut here/s)
  expect(text.length).toBeLessThanOrEqual(1024)
})

it('F3 hands over contexts in call order, however the bodies finish', async () => {
  const settled: (() => void)[] = []
  const tool = defineTool({
    name: 'read',
    description: 'd',
    parameters: {},
    isConcurrencySafe: () => true,
    execute: (_, { callId, deferContext }) =>
      new Promise<void>(resolve => {
        settled.push(() => {
          deferContext(`from ${callId}`)
          deferContext([{ type: 'text', text: 'half \ud83d' }])
          resolve()
        })
      }),
  })
  const contexts: [string, unknown][] = []
  const runtime = createToolRuntime({
    tools: [tool],
    hooks: { postExecute: ({ callId }) => ({ kind: 'accept', contexts: [`hook ${callId}`] }) },
  })
  const run = runBatch(runtime, [toolCall('a', 'read'), toolCall('b', 'read')], {
    bind: { context: (callId, message) => contexts.push([callId, message]) },
  })
  await microtasks()
  settled[1]?.()
  await microtasks()
  expect(contexts).toEqual([])
  settled[0]?.()
  await run.done
  const blocks = [{ type: 'text', text: 'half \ufffd' }]
  expect(contexts).toEqual([
    ['a', 'from a'],
    ['a', blocks],
    ['a', 'hook a'],
    ['b', 'from b'],
    ['b', blocks],
    ['b', 'hook b'],
  ])
})

it('F3 hands over nothing that nobody said: no context by default, none that is blank, no end of the turn', async () => {
  const contexts: unknown[] = []
  const concluded: string[] = []
  const bind = {
    context: (_: string, message: unknown) => contexts.push(message),
    concludeTurn: (callId: string) => concluded.push(callId),
  }
  await setUp({ hooks: post(() => ({ kind: 'accept' })) }).execute(toolCall('a', 'read'), bind)
  const replacing = setUp({
    hooks: post(() => ({ kind: 'replace-value', value: 'x', contexts: [' ', 'y', ''] })),
  })
  const refused = await replacing.execute(toolCall('b', 'fail', { needed: 1 }), bind)
  expect(refused.isError).toBeUndefined()
  expect(contexts).toEqual(['y'])
  expect(concluded).toEqual([])
})

it('F3 keeps the outcome of a call whose batch takes no contexts, no progress and no end of the turn', async () => {
  const tool = defineTool({
    name: 'eager',
    description: 'd',
    parameters: {},
    execute: (_, { deferContext, concludeTurn, progress }) => {
      progress('half')
      deferContext('more')
      concludeTurn()
      return 'done'
    },
  })
  const outcome = await createToolRuntime({ tools: [tool] }).execute(toolCall('a', 'eager'))
  expect(outcome).toEqual({ content: [{ type: 'text', text: 'done' }], value: 'done' })
})

it('F3 refuses contexts that are none, in the body that gives them', async () => {
  const tool = defineTool({
    name: 'read',
    description: 'd',
    parameters: {},
    execute: (_, { deferContext }) => deferContext([{ type: 'tool-result' }] as never),
  })
  const outcome = await createToolRuntime({ tools: [tool] }).execute(toolCall('a', 'read'))
  expect(outcome.error?.code).toBe('INVALID_CONTEXT')
})

it.each<[string, boolean, PostDecision, string[]]>([
  ['a success', false, { kind: 'accept' }, ['a']],
  ['a failure', true, { kind: 'accept' }, []],
  ['a blocked success', false, { kind: 'block', feedback: 'no' }, []],
])('F3 concludes the turn after %s: throws %s', async (...[, fails, decision, concluded]) => {
  const tool = defineTool({
    name: 'done',
    description: 'd',
    parameters: {},
    execute: (_, { concludeTurn }) => {
      concludeTurn()
      concludeTurn()
      if (fails) throw new Error('no')
    },
  })
  const seen: string[] = []
  const runtime = createToolRuntime({ tools: [tool], hooks: post(() => decision) })
  await runtime.execute(toolCall('a', 'done'), { concludeTurn: callId => seen.push(callId) })
  expect(seen).toEqual(concluded)
})

it('F3 hands a late context over once and at once, and does not end a turn that is over', async () => {
  const clock = handClock()
  const gate = deferred<undefined>()
  const tool = defineTool({
    name: 'slow',
    description: 'd',
    parameters: {},
    timeoutMs: 100,
    execute: async (_, { deferContext, concludeTurn }) => {
      deferContext('early')
      await gate.promise
      deferContext('late')
      concludeTurn()
    },
  })
  const seen: string[] = []
  const bind = {
    startTimer: clock.startTimer,
    abortGraceMs: 500,
    context: (_: string, message: unknown) => seen.push(String(message)),
    concludeTurn: () => seen.push('concluded'),
  }
  const runtime = createToolRuntime({ tools: [tool] })
  const stages = runtime.bind(bind)
  const { signal } = new AbortController()
  const { execution } = await stages.prepare(toolCall('a', 'slow'), { kind: 'exclusive' }, signal)
  const dispatching = stages.dispatch(execution, signal)
  await microtasks()
  clock.advance(100)
  await microtasks()
  clock.advance(500)
  const guess = await dispatching
  await stages.finish(execution, guess.settled)
  expect(seen).toEqual(['early'])
  gate.resolve(undefined)
  const truth = await guess.late
  if (!truth) throw new Error('expected the truth')
  expect(seen).toEqual(['early', 'late'])
  expect(await stages.finalize(execution, truth.settled)).toMatchObject({ value: null })
  expect(seen).toEqual(['early', 'late'])
})

it('F3 tells observers every outcome, whatever one of them throws, until they leave', async () => {
  const runtime = setUp({})
  const seen: string[] = []
  runtime.onOutcome(() => {
    throw new Error('broken observer')
  })
  const rejecting: unknown = () => Promise.reject(new Error('broken async observer'))
  runtime.onOutcome(rejecting as never)
  const leave = runtime.onOutcome(({ call, outcome }) => seen.push(`${call.callId} ${textOf(outcome)}`))
  await runtime.execute(toolCall('a', 'read'))
  leave()
  await runtime.execute(toolCall('b', 'read'))
  expect(seen).toEqual(['a secret'])
})

it('fails the batch when the seam that takes contexts fails, because that is the log', async () => {
  const log = new Error('log closed')
  const runtime = setUp({ hooks: post(() => ({ kind: 'accept', contexts: ['x'] })) })
  const context = (): never => {
    throw log
  }
  await expect(runtime.execute(toolCall('a', 'read'), { context })).rejects.toBe(log)
})
