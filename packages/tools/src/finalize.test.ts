import { type JsonValue } from '@agent-spine/schema'
import { expect, it, vi } from 'vitest'
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
  ['answers a function that looks like a decision', () => Object.assign(() => undefined, { kind: 'accept' })],
  ['replaces content with none', () => ({ kind: 'replace-content', content: [{ type: 'video' }] })],
  ['blocks without feedback', () => ({ kind: 'block' })],
  ['adds contexts that are none', () => ({ kind: 'accept', contexts: [{}] })],
  ['adds contexts that are no list', () => ({ kind: 'accept', contexts: 'x' })],
  [
    'adds contexts that only behave like a list',
    () => ({ kind: 'accept', contexts: { map: () => ['unchecked'] } }),
  ],
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

const withheldText = (failure: string): string =>
  `The tool ran. A policy hook ${failure}, so its output is withheld; do not repeat the call blindly.`

it.each<[string, () => unknown, string]>([
  [
    'fails',
    () => {
      throw new Error('scanner down')
    },
    'failed (scanner down)',
  ],
  ['rejects', () => Promise.reject(new Error('scanner down')), 'failed (scanner down)'],
  ['is unclear', () => ({ kind: 'ok' }), 'gave no decision that can be understood'],
])(
  'F1 tells the model that the tool ran, and why it reads no output, when a hook %s',
  async (...[, answer, why]) => {
    const outcome = await setUp({ hooks: post(answer) }).execute(toolCall('a', 'read'))
    expect(textOf(outcome)).toBe(withheldText(why))
  },
)

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
  expect(textOf(run.outcomes.get('a'))).toBe(withheldText('did not answer in time'))
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
  expect(seen.mock.calls[0]?.[0]).toStrictEqual({
    callId: 'a',
    name: 'read',
    tool: runtime.get('read'),
    args: {},
  })
  expect(seen.mock.calls[0]?.[1]).toMatchObject({ value: 'secret' })
  await runtime.execute(toolCall('a', 'raed'))
  expect(seen.mock.calls[1]?.[0]).toStrictEqual({ callId: 'a', name: 'raed' })
})

it('replaces content, and keeps the value', async () => {
  const runtime = setUp({ hooks: post(() => ({ kind: 'replace-content', content: 'redacted' })) })
  expect(await runtime.execute(toolCall('a', 'read'))).toEqual({
    content: [{ type: 'text', text: 'redacted' }],
    value: 'secret',
    meta: 6,
  })
})

it('replaces content by blocks, of which a hook cannot change the copy that was checked', async () => {
  const content = [{ type: 'text', text: 'redacted' }]
  const runtime = setUp({
    hooks: [
      post(() => ({ kind: 'replace-content', content })),
      post(() => (content.pop(), { kind: 'accept' })),
    ],
  })
  const outcome = await runtime.execute(toolCall('a', 'read'))
  expect(outcome.content).toEqual([{ type: 'text', text: 'redacted' }])
  expect(content).toEqual([])
})

it('names the parent of a sub-call to hooks, and no parent of any other call', async () => {
  const parents: [string, unknown][] = []
  const caller = defineTool({
    name: 'caller',
    description: 'd',
    parameters: {},
    execute: async (_, { callTools }) => {
      await callTools([
        { name: 'read', arguments: {} },
        { name: 'raed', arguments: {} },
      ])
    },
  })
  const runtime = setUp({
    hooks: {
      postExecute: call => {
        parents.push([call.callId, 'parentCallId' in call ? call.parentCallId : 'none'])
        return { kind: 'accept' }
      },
    },
  })
  runtime.register(caller)
  await runtime.execute(toolCall('a', 'caller'))
  expect(parents).toEqual([
    ['a.0', 'a'],
    ['a.1', 'a'],
    ['a', 'none'],
  ])
})

it('closes at once where no hook has a say about outcomes', async () => {
  const stages = setUp({ hooks: [{}, { preExecute: () => ({ kind: 'allow' }) }] }).bind()
  const { signal } = new AbortController()
  const { execution } = await stages.prepare(toolCall('a', 'read'), { kind: 'exclusive' }, signal)
  const { settled } = await stages.dispatch(execution, signal)
  expect(stages.finalize(execution, settled)).toMatchObject({ value: 'secret' })
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
