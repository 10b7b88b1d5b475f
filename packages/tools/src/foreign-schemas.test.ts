import { existsSync, readFileSync } from 'node:fs'
import { type JsonObject } from '@agent-spine/schema'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { deferred } from './deferred.js'
import {
  createToolRuntime,
  defineTool,
  fromJsonSchema,
  type ParametersInput,
  type StandardSchema,
} from './index.js'
import { microtasks, runBatch, textOf, toolCall } from './testing/batch-run.js'
import { handClock } from './testing/hand-clock.js'

/*
 * One rule, however a tool says what it takes: arguments that do not validate never reach the body. The real libraries
 * and the real schemas of MCP servers hold it here.
 */

function setUp(parameters: ParametersInput) {
  const body = vi.fn((args: unknown) => JSON.stringify(args))
  const tool = defineTool({
    name: 'forecast',
    description: 'd',
    parameters: parameters as never,
    isConcurrencySafe: () => true,
    execute: body,
  })
  return { tool, body, runtime: createToolRuntime({ tools: [tool] }) }
}

/** Inside a runtime and outside of it. */
async function expectRefused(parameters: ParametersInput, args: JsonObject, words: RegExp): Promise<void> {
  const { tool, body, runtime } = setUp(parameters)
  const outcome = await runtime.execute(toolCall('a', 'forecast', args))
  expect(outcome.error).toEqual({ name: 'ToolArgsError', code: 'INVALID_ARGS' })
  expect(textOf(outcome)).toMatch(words)
  await expect(tool.execute(args)).rejects.toMatchObject({ code: 'INVALID_ARGS' })
  expect(body).not.toHaveBeenCalled()
}

async function expectRun(parameters: ParametersInput, args: JsonObject): Promise<void> {
  const { body, runtime } = setUp(parameters)
  const outcome = await runtime.execute(toolCall('a', 'forecast', args))
  expect(outcome).toMatchObject({ value: JSON.stringify(args) })
  expect(body).toHaveBeenCalledTimes(1)
}

const days = { type: 'array', items: { type: 'integer' } } as const
const ways: [string, ParametersInput][] = [
  ['the author DSL', { city: { type: 'string', required: true }, days }],
  [
    'zod',
    z
      .object({ city: z.string().min(2), days: z.array(z.int()).optional() })
      .refine(({ city }) => city !== 'Atlantis', {
        path: ['city'],
        error: 'there is no such city',
      }),
  ],
  [
    'valibot',
    toStandardJsonSchema(
      v.object({
        city: v.pipe(v.string(), v.minLength(2)),
        days: v.optional(v.array(v.pipe(v.number(), v.integer()))),
      }),
    ),
  ],
  ['arktype', type({ city: 'string >= 2', 'days?': 'number.integer[]' })],
  [
    'JSON Schema',
    fromJsonSchema({
      type: 'object',
      properties: { city: { type: 'string', minLength: 2 }, days },
      required: ['city'],
    }),
  ],
]

it.each(ways)('refuses arguments of a wrong type by %s, and names the path', async (_, parameters) => {
  await expectRefused(parameters, { city: 5 }, /"city".*number/)
  await expectRefused(parameters, { city: 'Oslo', days: [1, 'two'] }, /"days\[1\]".*string/)
  await expectRefused(parameters, {}, /"city" is required/)
})

it.each(ways)('runs the body for arguments that fit by %s', async (_, parameters) => {
  await expectRun(parameters, { city: 'Oslo', days: [1, 2] })
})

it.each(ways.filter(([name]) => ['zod', 'valibot', 'arktype'].includes(name)))(
  'refuses what only %s itself can check, and names the path',
  async (_, parameters) => {
    const { tool } = setUp(parameters)
    expect(tool.schemaChanges).toContainEqual(
      expect.objectContaining({ keyword: 'minLength', effect: 'weaker' }),
    )
    await expectRefused(parameters, { city: 'X' }, /"city": .*2/)
  },
)

it('refuses what a refinement of zod refuses, which no JSON Schema can say', async () => {
  const zod = ways.find(([name]) => name === 'zod')?.[1] as ParametersInput
  await expectRefused(zod, { city: 'Atlantis' }, /"city": there is no such city/)
})

it('gives the body what the model sent: defaults and transforms of a library do not apply', async () => {
  const parameters = z.object({ city: z.string().transform(city => city.length), days: z.int().default(3) })
  await expectRun(parameters, { city: 'Oslo' })
})

it('waits for a zod refinement that answers with a promise, and holds to it', async () => {
  const known = z.object({
    city: z.string().refine(city => Promise.resolve(city === 'Oslo'), 'unknown city'),
  })
  await expectRefused(known, { city: 'Atlantis' }, /"city": unknown city/)
  await expectRun(known, { city: 'Oslo' })
})

/** A Standard Schema of one string, whose own check is `validate`. */
function standard(validate: (value: unknown) => unknown): StandardSchema {
  const schema = { type: 'object', properties: { city: { type: 'string' } } }
  return { '~standard': { version: 1, vendor: 'test', validate, jsonSchema: { input: () => schema } } }
}

const city = { city: 'Oslo' }
const failures: [string, (value: unknown) => unknown, RegExp][] = [
  [
    'throws',
    () => {
      throw new Error('database gone')
    },
    /own check .* failed: database gone/,
  ],
  ['rejects', () => Promise.reject(new Error('database gone')), /own check .* failed: database gone/],
  ['answers neither issues nor value', () => ({}), /neither a value nor issues/],
  ['answers with a promise of neither', () => Promise.resolve({}), /neither a value nor issues/],
  ['answers nothing', () => undefined, /neither a value nor issues/],
  ['answers true', () => true, /neither a value nor issues/],
  [
    'answers no issues, but a list of them',
    () => ({ value: city, issues: [] }),
    /neither a value nor issues/,
  ],
  ['answers issues that are no list', () => ({ value: city, issues: 'many' }), /neither a value nor issues/],
  [
    'answers issues that are none',
    () => ({ issues: [null, 5, {}] }),
    /"arguments": does not fit; "arguments": does not fit/,
  ],
  [
    'answers a path of segments',
    () => ({ issues: [{ message: 'no', path: [{ key: 'a' }, 0, { key: 'b' }] }] }),
    /"a\[0\]\.b": no/,
  ],
  [
    'answers a getter that throws',
    () => ({
      get issues() {
        throw new Error('trap')
      },
    }),
    /own check .* failed: trap/,
  ],
  [
    'answers a path that cannot be text',
    () => ({ issues: [{ message: 'no', path: [Object.create(null)] }] }),
    /"undefined": no/,
  ],
]

it.each(failures)('refuses when the schema’s own check %s', async (_, validate, words) => {
  await expectRefused(standard(validate), city, words)
})

it('lists at most 20 issues of a schema’s own check, cut, and says how many there are', () => {
  const issues = Array.from({ length: 50 }, (_, index) => ({ message: 'x'.repeat(1000), path: [index] }))
  const { tool } = setUp(standard(() => ({ issues })))
  const { violations = [] } = tool.check(city)
  expect(violations).toHaveLength(21)
  expect(violations.at(-1)).toBe('and 30 more')
  expect(violations.every(violation => violation.length <= 400)).toBe(true)
})

it('waits for a check that answers with a promise when a tool is executed without a runtime', async () => {
  const execute = vi.fn(() => 'done')
  const parameters = standard(value =>
    Promise.resolve(
      (value as { city?: string }).city === 'Oslo' ? { value } : { issues: [{ message: 'no' }] },
    ),
  )
  const tool = defineTool({ name: 'forecast', description: 'Tells.', parameters, execute })
  await expect(tool.execute(city)).resolves.toBe('done')
  await expect(tool.execute({ city: 'Atlantis' })).rejects.toThrow('no')
  expect(execute).toHaveBeenCalledOnce()
})

it('asks a schema’s own check once for each copy, about the frozen arguments that run, and not about misfits', async () => {
  const validate = vi.fn((value: unknown) => ({ value }))
  const { body, runtime } = setUp(standard(validate))
  await runtime.execute(toolCall('a', 'forecast', { city: 5 }))
  expect(validate).not.toHaveBeenCalled()
  await runtime.execute(toolCall('b', 'forecast', city))
  expect(validate).toHaveBeenCalledTimes(1)
  expect(validate.mock.calls[0]?.[0]).toBe(body.mock.calls[0]?.[0])
  expect(Object.isFrozen(validate.mock.calls[0]?.[0])).toBe(true)
})

it('answers soft questions about arguments that are not decided yet as if they did not fit', async () => {
  const verdict = deferred<unknown>()
  const { tool } = setUp(standard(() => verdict.promise))
  const args = tool.check(city)
  expect(args.violations).toEqual([expect.stringContaining('not decided yet')])
  expect(tool.isConcurrencySafe(city)).toBe(false)
  verdict.resolve({ value: city })
  expect(await args.decided).toEqual({ args: city })
})

it('runs the body of a call that is cancelled while its schema decides neither then nor later', async () => {
  const verdict = deferred<unknown>()
  const controller = new AbortController()
  const { body, runtime } = setUp(standard(() => verdict.promise))
  const run = runBatch(runtime, [toolCall('a', 'forecast', city)], { signal: controller.signal })
  await microtasks()
  controller.abort()
  await run.done
  expect(run.outcomes.get('a')?.error?.code).toBe('ABORTED_BEFORE_DISPATCH')
  verdict.resolve({ value: city })
  await microtasks()
  expect(body).not.toHaveBeenCalled()
})

it('refuses a call whose schema does not decide within the limit of a hook', async () => {
  const clock = handClock()
  const { body, runtime } = setUp(standard(() => new Promise(() => undefined)))
  const run = runBatch(runtime, [toolCall('a', 'forecast', city)], {
    bind: { startTimer: clock.startTimer, hookLimitMs: 100 },
  })
  await microtasks()
  clock.advance(100)
  await run.done
  expect(textOf(run.outcomes.get('a'))).toMatch(/^invalid arguments: .*not decided yet/)
  expect(body).not.toHaveBeenCalled()
  expect(clock.pending).toBe(0)
})

it('says what is wrong with the text of a call, not that its schema has not decided', async () => {
  const { runtime } = setUp(standard(() => Promise.resolve({ value: {} })))
  const text = '{"city":"Oslo","size":12345678901234567890}'
  const outcome = await runtime.execute(toolCall('a', 'forecast', text))
  expect(textOf(outcome)).toMatch(/^invalid arguments: "size" would be rounded: [^;]*$/)
})

it('takes a Standard JSON Schema without a check of its own for what it is', async () => {
  const {
    '~standard': { validate: _, ...rest },
  } = standard(() => undefined)
  await expectRun({ '~standard': rest }, city)
  await expectRefused({ '~standard': rest }, { city: 5 }, /"city"/)
})

const recorded = new URL('../../../../shared/data/mcp-tool-schemas.json', import.meta.url)

interface RecordedTool {
  readonly name: string
  readonly inputSchema: JsonObject & {
    readonly properties?: JsonObject
    readonly required?: readonly string[]
  }
}

it('refuses a call of every recorded MCP tool that leaves out, or mistypes, what the server requires', async context => {
  if (!existsSync(recorded)) context.skip('../shared/data/mcp-tool-schemas.json is not there')
  const tools = JSON.parse(readFileSync(recorded, 'utf8')) as RecordedTool[]
  let refused = 0
  for (const { inputSchema } of tools) {
    const [required] = inputSchema.required ?? []
    if (required === undefined) continue
    const parameters = fromJsonSchema(inputSchema, { lossy: true })
    const { body, runtime } = setUp(parameters)
    const missing = await runtime.execute(toolCall('a', 'forecast', {}))
    expect(missing.error?.code).toBe('INVALID_ARGS')
    expect(textOf(missing)).toContain(`"${required}" is required`)
    expect(body).not.toHaveBeenCalled()
    refused++
  }
  expect(refused).toBeGreaterThan(100)
})

it('holds the schema of a real MCP tool: the filesystem server’s read_file', async context => {
  if (!existsSync(recorded)) context.skip('../shared/data/mcp-tool-schemas.json is not there')
  const tools = JSON.parse(readFileSync(recorded, 'utf8')) as RecordedTool[]
  const readFile = tools.find(({ name }) => name === 'read_file')
  const parameters = fromJsonSchema(readFile?.inputSchema ?? {})
  await expectRefused(parameters, { path: 5 }, /"path" must be a string \(received number 5/)
  await expectRefused(parameters, { path: 'a', head: '10' }, /"head" must be a number/)
  await expectRun(parameters, { path: 'a', head: 10 })
})
