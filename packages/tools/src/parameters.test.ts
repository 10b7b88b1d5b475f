import { defineParameters, defineValue } from '@agent-spine/schema'
import { expect, it, vi } from 'vitest'
import {
  createToolRuntime,
  defineTool,
  fromJsonSchema,
  type ParametersInput,
  type StandardSchema,
} from './index.js'
import { toolCall } from './testing/batch-run.js'

function define(parameters: ParametersInput) {
  return defineTool({ name: 'a', description: 'd', parameters: parameters as never, execute: args => args })
}

/** What zod, valibot and arktype look like from outside; arktype's schemas are functions. */
function standard(jsonSchema: Record<string, unknown>, base: object = {}): StandardSchema<{ city: string }> {
  const props = {
    version: 1,
    vendor: 'test',
    validate: (value: unknown) => ({ value }),
    jsonSchema: { input: vi.fn(() => jsonSchema) },
  } as const
  return Object.assign(base, { '~standard': props })
}

/** What zod does to the JSON Schema that it answers. */
function withHiddenProperty(schema: Record<string, unknown>): Record<string, unknown> {
  return Object.defineProperty(schema, '~standard', { value: {}, enumerable: false })
}

it('takes a validator', () => {
  const tool = define(defineParameters({ id: { type: 'integer', required: true } }, { closed: true }))
  expect(tool.check({ id: 1 }).violations).toBeUndefined()
  expect(tool.check({ id: 1, more: 2 }).violations).toHaveLength(1)
})

it('refuses a validator of anything but an object', () => {
  expect(() => define(defineValue({ type: 'string' }))).toThrow(
    expect.objectContaining({ code: 'UNSUPPORTED_SCHEMA' }),
  )
})

it.each([
  ['an object', {}],
  ['a function', () => undefined],
])('takes a Standard Schema that is %s, and checks with our own validator', async (_, base) => {
  const foreign = standard(
    withHiddenProperty({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { city: { type: 'string', minLength: 2 } },
      required: ['city'],
      additionalProperties: false,
    }),
    base,
  )
  const tool = defineTool({ name: 'a', description: 'd', parameters: foreign, execute: ({ city }) => city })
  expect(foreign['~standard'].jsonSchema.input).toHaveBeenCalledWith({ target: 'draft-2020-12' })
  expect(tool.schemaChanges.filter(change => change.effect === 'weaker')).toMatchObject([
    { pointer: '/properties/city', keyword: 'minLength' },
  ])
  const runtime = createToolRuntime({ tools: [tool] })
  expect((await runtime.execute(toolCall('c', 'a', { city: 'Oslo' }))).value).toBe('Oslo')
  expect((await runtime.execute(toolCall('c', 'a', { city: 5 }))).error?.code).toBe('INVALID_ARGS')
  expect((await runtime.execute(toolCall('c', 'a', { city: 'Oslo', x: 1 }))).error?.code).toBe('INVALID_ARGS')
})

it('imports a foreign JSON Schema and reports what it cannot enforce', () => {
  const imported = fromJsonSchema({
    type: 'object',
    properties: { id: { type: ['string', 'integer'] }, size: { type: 'integer', minimum: 1 } },
  })
  const tool = define(imported)
  expect(tool.schemaChanges.some(change => change.keyword === 'minimum' && change.effect === 'weaker')).toBe(
    true,
  )
  expect(tool.check({ id: 5, size: 0 }).violations).toBeUndefined()
  expect(tool.check({ id: true }).violations).toHaveLength(1)
})

it('refuses a foreign schema that cannot be imported, and one that is no object', () => {
  for (const schema of [{ type: 'object', not: {} }, { type: 'string' }]) {
    expect(() => fromJsonSchema(schema)).toThrow(expect.objectContaining({ code: 'UNSUPPORTED_SCHEMA' }))
  }
})

it('takes properties with the names of its own marks for ordinary properties', () => {
  const tool = define({
    validator: { type: 'string', required: true },
    violations: { type: 'string' },
    '~standard': { type: 'string' },
  })
  expect(tool.check({ validator: 'x', violations: 'y', '~standard': 'z' }).violations).toBeUndefined()
  expect(tool.check({}).violations).toHaveLength(1)
})
