import { expect, it, vi } from 'vitest'
import { createToolRuntime, defineTool, type Tool } from './index.js'
import { runBatch, textOf, toolCall } from './testing/batch-run.js'

function tool(
  name: string,
  options: { execute?: () => unknown; safe?: (args: object) => boolean; key?: () => string } = {},
): Tool {
  const { execute = () => name, safe, key } = options
  return defineTool({
    name,
    description: `Does ${name}.`,
    parameters: { a: { type: 'string' } },
    timeoutMs: 1000,
    ...(safe && { isConcurrencySafe: safe }),
    ...(key && { conflictKey: key }),
    execute,
  })
}

it('refuses two tools of one name', () => {
  const runtime = createToolRuntime({ tools: [tool('a')] })
  expect(() => runtime.register(tool('a'))).toThrow(expect.objectContaining({ code: 'DUPLICATE_TOOL' }))
  expect(() => createToolRuntime({ tools: [tool('a'), tool('a')] })).toThrow('registered already')
})

it('removes only the tool that was registered, once', async () => {
  const runtime = createToolRuntime()
  const unregister = runtime.register(tool('a'))
  unregister()
  expect(runtime.get('a')).toBeUndefined()
  const second = tool('a')
  runtime.register(second)
  unregister()
  expect(runtime.get('a')).toBe(second)
  expect((await runtime.execute(toolCall('c', 'a'))).value).toBe('a')
})

it('tells the model names, descriptions and parameters, in order of name, as the same frozen objects', () => {
  const runtime = createToolRuntime({ tools: [tool('b'), tool('B'), tool('a')] })
  const schemas = runtime.schemas()
  expect(schemas.map(schema => schema.name)).toEqual(['B', 'a', 'b'])
  expect(schemas[1]).toEqual({
    name: 'a',
    description: 'Does a.',
    parameters: { type: 'object', properties: { a: { type: 'string' } } },
  })
  expect(Object.isFrozen(schemas[1]?.parameters)).toBe(true)
  expect(runtime.schemas()[1]).toBe(schemas[1])
})

it('tells listeners of every change, whatever one of them throws, until they leave', () => {
  const runtime = createToolRuntime()
  const listener = vi.fn()
  runtime.onChange(() => {
    throw new Error('broken listener')
  })
  const leave = runtime.onChange(listener)
  const unregister = runtime.register(tool('a'))
  unregister()
  unregister()
  expect(listener).toHaveBeenCalledTimes(2)
  leave()
  runtime.register(tool('b'))
  expect(listener).toHaveBeenCalledTimes(2)
})

it('hides tools from a view in every way, and shows what comes later', async () => {
  const runtime = createToolRuntime({ tools: [tool('read'), tool('write')] })
  const view = runtime.withTools(({ name }) => name !== 'write')
  expect(view.schemas().map(schema => schema.name)).toEqual(['read'])
  expect(view.get('write')).toBeUndefined()
  const outcome = await view.execute(toolCall('a', 'write'))
  expect(outcome.error?.code).toBe('UNKNOWN_TOOL')
  expect(textOf(outcome)).not.toMatch(/tools:.*write/)
  runtime.register(tool('list'))
  expect(view.get('list')).toBeDefined()
  expect(
    view
      .withTools(({ name }) => name !== 'read')
      .schemas()
      .map(schema => schema.name),
  ).toEqual(['list'])
})

it.each([
  [
    'throws',
    () => {
      throw new Error('no')
    },
  ],
  ['answers something truthy', () => 1],
])('hides every tool from a view whose filter %s', (_, filter) => {
  const view = createToolRuntime({ tools: [tool('a')] }).withTools(filter as never)
  expect(view.schemas()).toEqual([])
  expect(view.get('a')).toBeUndefined()
})

it('does not let a body reach a tool that is hidden from its agent', async () => {
  const caller = defineTool({
    name: 'caller',
    description: 'd',
    parameters: {},
    execute: async (_, { callTools }) =>
      (await callTools([{ name: 'write', arguments: {} }])).map(outcome => outcome.error?.code ?? null),
  })
  const runtime = createToolRuntime({ tools: [caller, tool('write')] })
  const view = runtime.withTools(({ name }) => name !== 'write')
  expect((await view.execute(toolCall('a', 'caller'))).value).toEqual(['UNKNOWN_TOOL'])
})

it('classifies a call: parallel only for exactly true on arguments that fit, with the key', () => {
  const safe = (args: object): boolean => 'a' in args
  const runtime = createToolRuntime({
    tools: [
      tool('safe', { safe }),
      tool('keyed', { safe, key: () => 'k' }),
      tool('unsafe'),
      tool('throws', {
        safe: () => {
          throw new Error('no')
        },
      }),
      tool('truthy', { safe: (() => 1) as never }),
      tool('async', { safe: (() => Promise.resolve(true)) as never }),
      tool('badkey', {
        safe,
        key: () => {
          throw new Error('no')
        },
      }),
    ],
  })
  const stages = runtime.bind()
  const modes = (name: string, args: object | string): unknown => stages.mode(toolCall('c', name, args))
  expect(modes('safe', { a: 'x' })).toEqual({ kind: 'parallel' })
  expect(modes('keyed', { a: 'x' })).toEqual({ kind: 'parallel', key: 'k' })
  for (const name of ['unsafe', 'throws', 'truthy', 'async', 'badkey', 'missing']) {
    expect(modes(name, { a: 'x' })).toEqual({ kind: 'exclusive' })
  }
  for (const args of [{}, { a: 5 }, '{"a":']) expect(modes('safe', args)).toEqual({ kind: 'exclusive' })
  expect(stages.executionMode(toolCall('c', 'keyed', { a: 'x' }))).toEqual({ kind: 'parallel', key: 'k' })
})

it('classifies by the tool that is visible when it is asked', () => {
  const runtime = createToolRuntime()
  const stages = runtime.bind()
  const call = toolCall('c', 'a', { a: 'x' })
  expect(stages.mode(call)).toEqual({ kind: 'exclusive' })
  const unregister = runtime.register(tool('a', { safe: () => true }))
  expect(stages.mode(call)).toEqual({ kind: 'parallel' })
  unregister()
  runtime.register(tool('a'))
  expect(stages.mode(call)).toEqual({ kind: 'exclusive' })
})

it('never runs a call whose signal has aborted', async () => {
  const execute = vi.fn()
  const runtime = createToolRuntime({ tools: [tool('a', { execute })] })
  const outcome = await runtime.execute(toolCall('c', 'a'), { signal: AbortSignal.abort() })
  expect(outcome.error?.code).toBe('ABORTED_BEFORE_DISPATCH')
  expect(execute).not.toHaveBeenCalled()
})

it('refuses options that make no sense', () => {
  const runtime = createToolRuntime()
  for (const options of [
    { abortGraceMs: -1 },
    { hookLimitMs: NaN },
    { approvalLimitMs: -5 },
    { maxParallelSubCalls: 0 },
    { maxParallelSubCalls: 1.5 },
  ]) {
    expect(() => runtime.bind(options)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
  }
})

it('tells of progress until the body ends, whatever the listener throws', async () => {
  let late: ((update: string) => void) | undefined
  const working = defineTool({
    name: 'work',
    description: 'd',
    parameters: {},
    execute: (_, { progress }) => {
      late = progress
      progress('half')
      return 'done'
    },
  })
  const seen: unknown[] = []
  const runtime = createToolRuntime({ tools: [working] })
  const run = runBatch(runtime, [toolCall('a', 'work')], {
    bind: {
      progress: (...update) => {
        seen.push(update)
        throw new Error('broken screen')
      },
    },
  })
  await run.done
  late?.('more')
  expect(seen).toEqual([['a', 'half']])
  expect(run.outcomes.get('a')?.value).toBe('done')
})

it('prepares synchronously where there is nobody to ask', () => {
  const stages = createToolRuntime({ tools: [tool('a')] }).bind()
  const { signal } = new AbortController()
  const call = toolCall('c', 'a')
  const prepared = stages.prepare(call, stages.mode(call), signal)
  expect(prepared).toMatchObject({ kind: 'dispatch', execution: { call } })
  const refused = stages.prepare(toolCall('c', 'x'), { kind: 'exclusive' }, signal)
  if (!('kind' in refused) || refused.kind === 'dispatch') throw new Error('expected a refusal')
  expect(stages.finalize(refused.execution, refused.settled)).toMatchObject({
    error: { code: 'UNKNOWN_TOOL' },
  })
})

it('asks no execute hook about a call that is cancelled between prepare and dispatch', async () => {
  const execute = vi.fn(() => Promise.resolve('cached'))
  const stages = createToolRuntime({ tools: [tool('a')], hooks: { execute } }).bind()
  const { execution } = await stages.prepare(
    toolCall('c', 'a'),
    { kind: 'exclusive' },
    new AbortController().signal,
  )
  expect(stages.dispatch(execution, AbortSignal.abort())).toMatchObject({ kind: 'final-result' })
  expect(execute).not.toHaveBeenCalled()
  expect(stages.abandon(execution)).toMatchObject({ settled: { ran: false } })
})

it('refuses to dispatch twice, or what prepare did not let through', async () => {
  const stages = createToolRuntime({ tools: [tool('a')] }).bind()
  const { signal } = new AbortController()
  const prepared = await stages.prepare(toolCall('c', 'a'), { kind: 'exclusive' }, signal)
  await stages.dispatch(prepared.execution, signal)
  expect(() => stages.dispatch(prepared.execution, signal)).toThrow(
    expect.objectContaining({ code: 'STAGE_ORDER' }),
  )
  const refused = await stages.prepare(toolCall('c', 'x'), { kind: 'exclusive' }, signal)
  expect(() => stages.dispatch(refused.execution, signal)).toThrow(
    expect.objectContaining({ code: 'STAGE_ORDER' }),
  )
})
