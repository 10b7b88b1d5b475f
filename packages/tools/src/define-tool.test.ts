import { defineParameters, defineValue, type JsonValue } from '@agent-spine/schema'
import { expect, it, vi } from 'vitest'
import { defineTool, type Tool, ToolArgsError, ToolOutputError } from './index.js'

const readParameters = { path: { type: 'string', required: true }, limit: { type: 'integer' } } as const

function readTool(execute: (args: { path: string; limit?: number }) => string = ({ path }) => path): Tool {
  return defineTool({
    name: 'read_file',
    description: 'Reads a file.',
    parameters: readParameters,
    output: { type: 'string' },
    execute,
  })
}

/** What a caller without types may pass. */
function define(definition: Record<string, unknown>): Tool {
  const base = { name: 'a', description: 'd', parameters: {}, execute: () => null }
  return defineTool({ ...base, ...definition })
}

it.each([
  [{ name: '' }, '"name"'],
  [{ name: 'has space' }, '"name"'],
  [{ name: 'x'.repeat(65) }, '"name"'],
  [{ description: ' ' }, '"description"'],
  [{ parameters: undefined }, '"parameters"'],
  [{ output: 'text' }, '"output"'],
  [{ closed: 'yes' }, '"closed"'],
  [{ timeoutMs: 0 }, '"timeoutMs"'],
  [{ timeoutMs: NaN }, '"timeoutMs"'],
  [{ execute: undefined }, '"execute"'],
  [{ conflictKey: 'path' }, '"conflictKey"'],
  [{ isConcurencySafe: () => true }, '"isConcurencySafe" is not known'],
])('refuses a definition that types would have refused: %o', (definition, problem) => {
  expect(() => define(definition)).toThrow(
    expect.objectContaining({ code: 'INVALID_TOOL', message: expect.stringContaining(problem) as string }),
  )
})

it('names every problem of a definition at once', () => {
  expect(() => define({ name: '', execute: 1, timeoutMs: -1 })).toThrow(/"name".*"timeoutMs".*"execute"/)
})

it('refuses a schema outside the subset when the tool is defined, with every path', () => {
  expect(() =>
    define({ parameters: { a: { type: 'string', pattern: 'x' }, b: { type: 'number', minimum: 1 } } }),
  ).toThrow(
    expect.objectContaining({
      code: 'UNSUPPORTED_SCHEMA',
      message: expect.stringMatching(/a.*b/s) as string,
    }),
  )
})

it('refuses bad arguments before the body, also outside a runtime, with all violations', async () => {
  const body = vi.fn(() => '')
  const failed: unknown = await readTool(body)
    .execute({ limit: 'ten' })
    .catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(ToolArgsError)
  expect(failed).toMatchObject({ code: 'INVALID_ARGS', toolName: 'read_file' })
  expect((failed as ToolArgsError).violations).toHaveLength(2)
  expect((failed as ToolArgsError).message).toMatch(/^invalid arguments: .*"path".*; .*"limit"/)
  expect(ToolArgsError.is(failed)).toBe(true)
  expect(ToolOutputError.is(failed)).toBe(false)
  expect(body).not.toHaveBeenCalled()
})

it('lists at most 20 violations and stays under 2 KB', () => {
  const spec = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [`property${index}`, { type: 'integer', required: true }]),
  )
  const { violations = [] } = define({ parameters: spec }).check({})
  expect(violations).toHaveLength(21)
  expect(violations.at(-1)).toContain('480')
  const long = define({ parameters: { ['é'.repeat(5000)]: { type: 'string', required: true } } }).check({})
  const { message } = new ToolArgsError('a', long.violations ?? [])
  expect(new TextEncoder().encode(message).length).toBeLessThan(2048)
})

it('runs the body on a frozen copy, so that nobody can change what was checked', async () => {
  let seen: { path: string } | undefined
  const given = { path: 'a' }
  await readTool(args => {
    seen = args
    return ''
  }).execute(given)
  expect(seen).toEqual(given)
  expect(seen).not.toBe(given)
  expect(Object.isFrozen(seen)).toBe(true)
})

it('refuses arguments that only look right at the first look', async () => {
  let looks = 0
  const shifty = {
    get path(): unknown {
      return looks++ === 0 ? 'a' : 5
    },
  }
  await expect(readTool().execute(shifty)).resolves.toBe('a')
  expect(looks).toBe(1)
})

it('validates a copy once, however often it is asked', async () => {
  const validator = defineParameters(readParameters)
  const check = vi.fn((value: unknown): value is { path: string } => validator.check(value))
  const tool = defineTool({
    name: 'a',
    description: 'd',
    parameters: { ...validator, check },
    isConcurrencySafe: () => true,
    conflictKey: ({ path }) => path,
    execute: () => null,
  })
  const first = tool.check({ path: 'a' })
  const args = first.violations ? undefined : first.args
  tool.isConcurrencySafe(args)
  tool.conflictKey(args)
  await tool.execute(args)
  expect(tool.check(args)).toEqual(first)
  const again = tool.check(args)
  expect(again.violations ? undefined : again.args).toBe(args)
  expect(check).toHaveBeenCalledTimes(1)
})

it('answers soft questions about anything without throwing', () => {
  const tool = defineTool({
    name: 'a',
    description: 'd',
    parameters: readParameters,
    isConcurrencySafe: ({ path }) => path.length > 0,
    presentCall: ({ path }) => ({ kind: 'generic', title: path }),
    presentResult: ({ path }, { content }) => ({ kind: 'generic', title: `${path} ${content.length}` }),
    execute: () => null,
  })
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  for (const args of [undefined, null, 5, {}, { path: 7 }, { path: 'a', limit: NaN }, proxy]) {
    expect(tool.isConcurrencySafe(args)).toBe(false)
    expect(tool.presentCall(args)).toBeUndefined()
    expect(tool.presentResult(args, { content: [] })).toBeUndefined()
  }
  expect(tool.isConcurrencySafe({ path: 'a' })).toBe(true)
  expect(tool.presentCall({ path: 'a' })).toEqual({ kind: 'generic', title: 'a' })
  expect(tool.presentResult({ path: 'a' }, { content: [] })).toEqual({ kind: 'generic', title: 'a 0' })
})

it.each([
  ['throws', () => Promise.reject(new Error('no'))],
  ['answers a promise', () => Promise.resolve({ kind: 'generic', title: 'a' })],
  ['answers a view that is none', () => ({ kind: 'generic', title: 5 })],
  ['answers an unknown kind', () => ({ kind: 'chart', title: 'a' })],
  ['answers nothing', () => undefined],
])('shows no view for a presenter that %s', (_, present) => {
  const tool = define({ presentCall: present, presentResult: present })
  expect(tool.presentCall({})).toBeUndefined()
  expect(tool.presentResult({}, { content: [] })).toBeUndefined()
})

it('reads every kind of view', () => {
  for (const view of [
    { kind: 'generic', title: 't', detail: 'd' },
    { kind: 'terminal', command: 'ls', directory: '/' },
    { kind: 'diff', path: 'a', before: '', after: 'x' },
  ]) {
    expect(define({ presentCall: () => view }).presentCall({})).toEqual(view)
  }
  for (const view of [
    { kind: 'generic', title: 't' },
    { kind: 'terminal', output: 'x', exitCode: 1 },
    { kind: 'diff', path: 'a', patch: '@@' },
  ]) {
    expect(define({ presentResult: () => view }).presentResult({}, { content: [] })).toEqual(view)
  }
})

it.each([1, 'true', {}, undefined, Promise.resolve(true)])(
  'takes a classifier that answers %o for not concurrency-safe',
  answer => {
    expect(define({ isConcurrencySafe: () => answer }).isConcurrencySafe({})).toBe(false)
  },
)

it('refuses a key that is not text, because an unknown key must not overlap', () => {
  expect(() => define({ conflictKey: () => 5 }).conflictKey({})).toThrow('conflictKey')
  expect(define({ conflictKey: () => undefined }).conflictKey({})).toBeUndefined()
  expect(define({}).conflictKey({})).toBeUndefined()
})

it('closes the root only when told to', () => {
  expect(define({}).check({ extra: 1 }).violations).toBeUndefined()
  expect(define({ closed: true }).check({ extra: 1 }).violations).toHaveLength(1)
})

it('checks the value on a detached copy, before it is rendered', async () => {
  const given = { rows: [1] }
  const render = vi.fn((value: { rows: number[] }) => String(value.rows.length))
  const tool = defineTool({
    name: 'a',
    description: 'd',
    parameters: {},
    output: {
      schema: {
        type: 'object',
        additionalProperties: false,
        properties: { rows: { type: 'array', items: { type: 'integer' }, required: true } },
      },
      render,
      presentationMeta: ({ rows }) => rows.length,
    },
    execute: () => given,
  })
  const value = await tool.execute({})
  given.rows.push(2)
  expect(value).toEqual({ rows: [1] })
  expect(Object.isFrozen(value)).toBe(true)
  expect(tool.render(value)).toEqual({
    value: { rows: [1] },
    content: [{ type: 'text', text: '1' }],
    meta: 1,
  })
  expect(() => tool.render({ rows: ['x'] })).toThrow(ToolOutputError)
  expect(render).toHaveBeenCalledTimes(1)
})

it.each<[unknown, RegExp]>([
  [5, /value.*must be a string/],
  [undefined, /value.*must be a string/],
  [new Date(0), /value/],
  [NaN, /value/],
])('refuses the value %o where text was promised', async (value, problem) => {
  const failed: unknown = await define({ output: { type: 'string' }, execute: () => value })
    .execute({})
    .catch((error: unknown) => error)
  expect(ToolOutputError.is(failed)).toBe(true)
  expect(failed).toMatchObject({
    code: 'INVALID_TOOL_OUTPUT',
    message: expect.stringMatching(problem) as string,
  })
})

it('takes any JSON value, or none, where no output was declared', async () => {
  const values: [unknown, JsonValue, string][] = [
    ['text', 'text', 'text'],
    [{ a: [1] }, { a: [1] }, '{"a":[1]}'],
    [undefined, null, ''],
  ]
  for (const [value, copy, text] of values) {
    const tool = define({ execute: () => value })
    await expect(tool.execute({})).resolves.toEqual(copy)
    expect(tool.render(value).content).toEqual([{ type: 'text', text }])
  }
  await expect(define({ execute: () => 1n }).execute({})).rejects.toThrow(ToolOutputError)
})

it('takes an output validator of the schema package', () => {
  const tool = define({ output: { schema: defineValue({ type: 'integer' }) } })
  expect(tool.outputSchema).toEqual({ type: 'integer' })
  expect(() => tool.render('x')).toThrow(ToolOutputError)
})

it('repairs half characters in a value instead of failing a call that has succeeded', async () => {
  const tool = define({ output: { type: 'string' }, execute: () => 'cut \ud83d' })
  await expect(tool.execute({})).resolves.toBe('cut \ufffd')
})

it.each([
  [
    'throws',
    () => {
      throw new Error('render broke')
    },
    'render broke',
  ],
  ['answers no content', () => ({ type: 'text', text: 'x' }), 'expected text'],
  ['answers blocks of another kind', () => [{ type: 'audio' }], 'expected text'],
  [
    'answers broken images',
    () => [{ type: 'image', mediaType: 'image/png', data: { kind: 'base64' } }],
    'expected text',
  ],
])('calls output that cannot be rendered unusable: render %s', (_, render, problem) => {
  const tool = define({ output: { schema: { type: 'string' }, render } })
  expect(() => tool.render('x')).toThrow(problem)
})

it('leaves out presentation facts that cannot be made, and keeps the result', () => {
  const tool = define({
    output: {
      schema: { type: 'string' },
      presentationMeta: () => {
        throw new Error('no')
      },
    },
  })
  expect(tool.render('x')).toEqual({ value: 'x', content: [{ type: 'text', text: 'x' }] })
})

it('calls a deep value that JSON cannot write unusable, and does not crash', () => {
  let deep: JsonValue = 0
  for (let level = 0; level < 20_000; level++) deep = [deep]
  expect(() => define({}).render(deep)).toThrow(ToolOutputError)
})

it('gives a body that runs outside a runtime a context that does nothing, and no sub-calls', async () => {
  const tool = defineTool({
    name: 'a',
    description: 'd',
    parameters: {},
    execute: async (_, context) => {
      context.progress(1)
      context.deferContext('x')
      context.concludeTurn()
      expect(context.signal.aborted).toBe(false)
      await context.callTools([])
    },
  })
  await expect(tool.execute({})).rejects.toMatchObject({ code: 'NO_RUNTIME' })
})

it.each([
  [
    () => {
      throw new Error('no')
    },
  ],
  [() => 'text'],
  [() => [{ type: 'other' }]],
])('keeps the content when the last word on it is none', finalizeContent => {
  const content = [{ type: 'text', text: 'x' }] as const
  expect(define({ finalizeContent }).finalizeContent(content, false)).toBe(content)
})
