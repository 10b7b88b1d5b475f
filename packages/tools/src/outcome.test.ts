import {
  TOOL_ABORTED_BEFORE_DISPATCH,
  TOOL_NOT_STARTED,
  TOOL_OUTCOME_UNKNOWN,
  unrunResult,
} from '@agent-spine/model'
import { HarnessError } from '@agent-spine/schema'
import { expect, it } from 'vitest'
import {
  createToolRuntime,
  defineTool,
  type Tool,
  ToolArgsError,
  type ToolOutcome,
  toolResultMessage,
  unrunOutcome,
} from './index.js'
import { textOf, toolCall } from './testing/batch-run.js'

function execute(body: () => unknown, name = 'work'): Promise<ToolOutcome> {
  const tool: Tool = defineTool({ name: 'work', description: 'd', parameters: {}, execute: body })
  return createToolRuntime({ tools: [tool] }).execute(toolCall('a', name))
}

/** A hostile value: whatever is done with it throws. */
function hostile(): object {
  const fail = (): never => {
    throw new Error('trap')
  }
  return new Proxy(
    {},
    { get: fail, has: fail, getPrototypeOf: fail, ownKeys: fail, getOwnPropertyDescriptor: fail },
  )
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

it.each<[string, () => unknown, string, RegExp]>([
  ['an error', () => new TypeError('no such file'), 'TypeError', /^no such file$/],
  ['an error without a message', () => new RangeError(), 'RangeError', /^RangeError$/],
  [
    'an error with causes',
    () => new Error('fetch failed', { cause: new Error('ECONNREFUSED') }),
    'Error',
    /^fetch failed: ECONNREFUSED$/,
  ],
  [
    'an error that causes itself',
    () => {
      const e = new Error('loop')
      e.cause = e
      return e
    },
    'Error',
    /^loop: loop/,
  ],
  ['text', () => 'plain text', 'Error', /^plain text$/],
  ['nothing', () => undefined, 'Error', /^undefined$/],
  ['null', () => null, 'Error', /^null$/],
  ['empty text', () => '', 'Error', /empty string/],
  ['a number', () => 5, 'Error', /^5$/],
  ['a symbol', () => Symbol('s'), 'Error', /Symbol\(s\)/],
  ['an empty object', () => ({}), 'Error', /without a message/],
  ['a function', () => () => 1, 'Error', /./],
  ['an object with getters that throw', () => hostile(), 'Error', /without a message/],
  ['a revoked proxy', () => revoked(), 'Error', /without a message/],
  ['a name that is no text', () => Object.assign(new Error('x'), { name: 5 }), 'Error', /^x$/],
  ['half a character', () => new Error('cut \ud83d'), 'Error', /^cut \ufffd$/],
])('turns a thrown value into an error result: %s', async (...[, thrown, name, text]) => {
  const outcome = await execute(() => {
    throw thrown()
  })
  expect(outcome.isError).toBe(true)
  expect(outcome.error?.name).toBe(name)
  expect(outcome.error?.code).toBeUndefined()
  expect(textOf(outcome)).toMatch(text)
})

it('turns a thrown promise into an error result', async () => {
  const outcome = await execute(() => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- what a hostile body may do
    throw Promise.resolve('x')
  })
  expect(outcome.isError).toBe(true)
})

it('turns a broken promise of a body into an error result', async () => {
  const outcome = await execute(() =>
    Object.defineProperty({}, 'then', {
      get: () => {
        throw new Error('trap')
      },
    }),
  )
  expect(textOf(outcome)).toBe('trap')
})

it('bounds names and texts that a body makes huge', async () => {
  const outcome = await execute(() => {
    throw Object.assign(new Error('x'.repeat(5_000_000)), { name: 'n'.repeat(5_000_000) })
  })
  expect(outcome.error?.name).toHaveLength(100)
  expect(textOf(outcome).length).toBeLessThanOrEqual(65_536)
})

it('keeps the code of a HarnessError, and of no other error', async () => {
  const outcome = await execute(() => {
    throw new HarnessError('QUOTA', 'quota used up')
  })
  expect(outcome.error).toEqual({ name: 'HarnessError', code: 'QUOTA' })
  const system = await execute(() => {
    throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
  })
  expect(system.error).toEqual({ name: 'Error' })
})

it.each([
  'INVALID_ARGS',
  'UNKNOWN_TOOL',
  'DENIED',
  'RESOURCE_BUSY',
  'ABORTED_BEFORE_DISPATCH',
  'TOOL_NOT_STARTED',
])('does not let a body that ran claim %s, which says that it did not', async code => {
  const outcome = await execute(() => {
    throw code === 'INVALID_ARGS' ? new ToolArgsError('inner', ['x']) : new HarnessError(code, 'claimed')
  })
  expect(outcome.isError).toBe(true)
  expect(outcome.error?.code).toBeUndefined()
})

it('lets a body say that it does not know what it did', async () => {
  const outcome = await execute(() => {
    throw new HarnessError('TOOL_OUTCOME_UNKNOWN', 'the connection broke after the request was sent')
  })
  expect(outcome.error?.code).toBe('TOOL_OUTCOME_UNKNOWN')
})

it('answers an unknown tool with the closest names', async () => {
  const outcome = await execute(() => null, 'wrok')
  expect(outcome.error).toEqual({ name: 'ToolError', code: 'UNKNOWN_TOOL' })
  expect(textOf(outcome)).toBe('There is no tool "wrok"; nothing ran. The closest available tools: work.')
  const none = await createToolRuntime().execute(toolCall('a', 'work'))
  expect(textOf(none)).toContain('No tool is available')
})

it.each([TOOL_ABORTED_BEFORE_DISPATCH, TOOL_NOT_STARTED, TOOL_OUTCOME_UNKNOWN] as const)(
  'says for %s what every other part of the spine says',
  code => {
    expect(toolResultMessage('a', unrunOutcome(code))).toEqual(unrunResult('a', code))
  },
)

it('makes a complete result message of an outcome', async () => {
  const outcome = await execute(() => 'ran')
  expect(toolResultMessage('a', outcome)).toEqual({
    id: 'result_a',
    role: 'user',
    source: { kind: 'tool', callId: 'a' },
    content: [{ type: 'tool-result', toolCallId: 'a', content: [{ type: 'text', text: 'ran' }] }],
  })
})

it('freezes outcomes deeply', async () => {
  for (const outcome of [await execute(() => ({ a: [1] })), await execute(() => null, 'x')]) {
    expect(Object.isFrozen(outcome)).toBe(true)
    expect(Object.isFrozen(outcome.content)).toBe(true)
    expect(outcome.content.every(block => Object.isFrozen(block))).toBe(true)
    expect(Object.isFrozen(outcome.error ?? outcome.value)).toBe(true)
  }
  expect(Object.isFrozen(unrunOutcome(TOOL_NOT_STARTED).content[0])).toBe(true)
})
