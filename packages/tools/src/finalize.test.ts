import { type JsonValue } from '@agent-spine/schema'
import { expect, it, vi } from 'vitest'
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

function setUp(options: ToolRuntimeOptions, value: JsonValue = 'secret') {
  const tool = defineTool({
    name: 'read',
    description: 'd',
    parameters: {},
    output: { schema: { type: 'string' }, presentationMeta: text => text.length },
    execute: () => value as string,
  })
  const failing = defineTool({
    name: 'fail',
    description: 'd',
    parameters: { needed: { type: 'string' } },
    execute: () => {
      throw new Error('secret failure')
    },
  })
  return createToolRuntime({ tools: [tool, failing], ...options })
}

function post(decide: () => unknown): ToolHooks {
  return { postExecute: () => decide() as PostDecision }
}

const failures: [string, () => unknown][] = [
  [
    'throws',
    () => {
      throw new Error('scanner down')
    },
  ],
  ['rejects', () => Promise.reject(new Error('scanner down'))],
  ['answers nothing', () => undefined],
  ['answers true', () => true],
  ['answers an unknown kind', () => ({ kind: 'ok' })],
  ['replaces content with none', () => ({ kind: 'replace-content', content: [{ type: 'video' }] })],
  ['blocks without feedback', () => ({ kind: 'block' })],
  ['adds contexts that are none', () => ({ kind: 'accept', contexts: [{}] })],
  ['adds contexts that are no list', () => ({ kind: 'accept', contexts: 'x' })],
  [
    'has getters that throw',
    () =>
      Object.defineProperty({}, 'kind', {
        get: () => {
          throw new Error('no')
        },
      }),
  ],
]

it.each(failures)('F1 withholds the output when a hook %s', async (_, decide) => {
  const later = vi.fn(() => ({ kind: 'accept' }) as const)
  const runtime = setUp({ hooks: [post(decide), { postExecute: later }] })
  for (const name of ['read', 'fail']) {
    const outcome = await runtime.execute(toolCall('a', name))
    expect(outcome.error).toEqual({ name: 'ToolError', code: 'RESULT_WITHHELD' })
    expect(JSON.stringify(outcome)).not.toContain('secret')
    expect(textOf(outcome)).toContain('The tool ran.')
  }
  expect(later).not.toHaveBeenCalled()
})

it('F1 withholds the output when a hook outlives its limit', async () => {
  const clock = handClock()
  const runtime = setUp({ hooks: post(() => new Promise(() => undefined)) })
  const run = runBatch(runtime, [toolCall('a', 'read')], {
    bind: { startTimer: clock.startTimer, hookLimitMs: 1000 },
  })
  await microtasks()
  clock.advance(1000)
  await run.done
  expect(run.outcomes.get('a')?.error?.code).toBe('RESULT_WITHHELD')
  expect(textOf(run.outcomes.get('a'))).toContain('did not answer in time')
  expect(clock.pending).toBe(0)
})

it.each(failures)('F1 keeps the truth about a call that never ran when a hook %s', async (_, decide) => {
  const runtime = setUp({ hooks: post(decide) })
  const unknown = await runtime.execute(toolCall('a', 'raed'))
  expect(unknown.error?.code).toBe('UNKNOWN_TOOL')
  const invalid = await runtime.execute(toolCall('a', 'fail', { needed: 1 }))
  expect(invalid.error?.code).toBe('INVALID_ARGS')
})

it('accepts, and sees the outcome with everything known of the call', async () => {
  const seen = vi.fn<NonNullable<ToolHooks['postExecute']>>(() => ({ kind: 'accept' }))
  const runtime = setUp({ hooks: { postExecute: seen } })
  const outcome = await runtime.execute(toolCall('a', 'read'))
  expect(outcome).toEqual({ content: [{ type: 'text', text: 'secret' }], value: 'secret', meta: 6 })
  expect(seen.mock.calls[0]?.[0]).toMatchObject({ callId: 'a', name: 'read', args: {} })
  expect(seen.mock.calls[0]?.[1]).toMatchObject({ value: 'secret' })
  await runtime.execute(toolCall('a', 'raed'))
  expect(seen.mock.calls[1]?.[0]).toEqual({ callId: 'a', name: 'raed' })
})

it('replaces content, and keeps the value', async () => {
  const runtime = setUp({ hooks: post(() => ({ kind: 'replace-content', content: 'redacted' })) })
  expect(await runtime.execute(toolCall('a', 'read'))).toEqual({
    content: [{ type: 'text', text: 'redacted' }],
    value: 'secret',
    meta: 6,
  })
})

it('F2 checks and renders a replaced value like one of the body', async () => {
  const fitting = setUp({ hooks: post(() => ({ kind: 'replace-value', value: 'public!' })) })
  expect(await fitting.execute(toolCall('a', 'read'))).toEqual({
    content: [{ type: 'text', text: 'public!' }],
    value: 'public!',
    meta: 7,
  })
  const misfit = setUp({ hooks: post(() => ({ kind: 'replace-value', value: 5 })) })
  const outcome = await misfit.execute(toolCall('a', 'read'))
  expect(outcome.error).toEqual({ name: 'ToolOutputError', code: 'INVALID_TOOL_OUTPUT' })
  expect(outcome.value).toBeUndefined()
})

it('blocks with feedback for the model', async () => {
  const runtime = setUp({ hooks: post(() => ({ kind: 'block', feedback: 'Ask for the summary instead.' })) })
  const outcome = await runtime.execute(toolCall('a', 'read'))
  expect(outcome.error?.code).toBe('RESULT_WITHHELD')
  expect(outcome.value).toBeUndefined()
  expect(textOf(outcome)).toContain('Ask for the summary instead.')
  const unknown = await runtime.execute(toolCall('a', 'raed'))
  expect(unknown.error?.code).toBe('UNKNOWN_TOOL')
  expect(textOf(unknown)).toBe('Ask for the summary instead.')
})

it('lets each hook see what the one before made of the outcome', async () => {
  const seen: string[] = []
  const add = (letter: string): ToolHooks => ({
    postExecute: (_, outcome) => {
      seen.push(textOf(outcome))
      return { kind: 'replace-content', content: textOf(outcome) + letter }
    },
  })
  const outcome = await setUp({ hooks: [add('1'), {}, add('2')] }).execute(toolCall('a', 'read'))
  expect(seen).toEqual(['secret', 'secret1'])
  expect(textOf(outcome)).toBe('secret12')
})

it('does not ask hooks about a cancelled call, whose outcome is final', async () => {
  const postExecute = vi.fn(() => ({ kind: 'accept' }) as const)
  const controller = new AbortController()
  const runtime = setUp({
    hooks: {
      postExecute,
      preExecute: () => {
        controller.abort()
        return { kind: 'allow' }
      },
    },
  })
  const outcome = await runtime.execute(toolCall('a', 'read'), { signal: controller.signal })
  expect(outcome.error?.code).toBe('ABORTED_BEFORE_DISPATCH')
  expect(postExecute).not.toHaveBeenCalled()
})

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
