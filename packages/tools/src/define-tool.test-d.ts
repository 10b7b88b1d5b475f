import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { expectTypeOf } from 'vitest'
import { z } from 'zod'
import { defineParameters, defineValue, type JsonObject, type JsonValue } from '@agent-spine/schema'
import { defineTool, fromJsonSchema, type StandardSchema, type Tool } from './index.js'

const readFile = defineTool({
  name: 'read_file',
  description: 'd',
  parameters: { path: { type: 'string', required: true }, limit: { type: 'integer' } },
  output: { type: 'string' },
  isConcurrencySafe: args => {
    expectTypeOf(args).toEqualTypeOf<{ path: string; limit?: number }>()
    return true
  },
  execute: async ({ path, limit }, { signal, callTools }) => {
    expectTypeOf(path).toEqualTypeOf<string>()
    expectTypeOf(limit).toEqualTypeOf<number | undefined>()
    expectTypeOf(signal).toEqualTypeOf<AbortSignal>()
    await callTools([{ name: 'x', arguments: {} }])
    return path
  },
})
expectTypeOf(readFile).toEqualTypeOf<Tool>()

defineTool({
  name: 'a',
  description: 'd',
  // @ts-expect-error a misspelt keyword
  parameters: { path: { type: 'string', requried: true } },
  execute: () => null,
})

defineTool({
  name: 'a',
  description: 'd',
  parameters: {},
  // @ts-expect-error a misspelt keyword
  output: { type: 'string', maximum: 3 },
  execute: () => 'x',
})

defineTool({
  name: 'a',
  description: 'd',
  parameters: {},
  output: { type: 'string' },
  // @ts-expect-error a value of another type
  execute: () => 5,
})

defineTool({
  name: 'a',
  description: 'd',
  parameters: {},
  output: {
    schema: {
      type: 'object',
      additionalProperties: false,
      properties: { code: { type: 'integer', required: true } },
    },
    render: value => {
      expectTypeOf(value).toEqualTypeOf<{ code: number }>()
      return String(value.code)
    },
    presentationMeta: value => value.code,
  },
  execute: () => ({ code: 1 }),
})

// A function without a parameter is looked at earlier than one with, and must not pass for part of a schema.
defineTool({
  name: 'a',
  description: 'd',
  parameters: {},
  output: { schema: { type: 'string' }, render: () => 'done' },
  execute: () => 'x',
})

defineTool({
  name: 'a',
  description: 'd',
  parameters: {},
  output: {
    schema: {
      type: 'object',
      additionalProperties: false,
      properties: { code: { type: 'integer', required: true } },
    },
    render: () => [{ type: 'text', text: 'done' }],
    presentationMeta: () => 1,
  },
  execute: () => ({ code: 1 }),
})

defineTool({
  name: 'a',
  description: 'd',
  parameters: {},
  output: { schema: { type: 'string' }, render: () => 'done' },
  // @ts-expect-error a value of another type
  execute: () => 5,
})

defineTool({
  name: 'a',
  description: 'd',
  parameters: {},
  output: { schema: defineValue({ type: 'integer' }), render: () => 'done' },
  execute: () => 5,
})

defineTool({
  name: 'a',
  description: 'd',
  parameters: {},
  // @ts-expect-error a misspelt keyword
  output: { schema: { type: 'string', maximum: 3 }, render: () => 'done' },
  execute: () => 'x',
})

defineTool({
  name: 'a',
  description: 'd',
  parameters: {},
  // @ts-expect-error a property that there is not
  output: { schema: { type: 'string' }, rendr: () => 'done' },
  execute: () => 'x',
})

defineTool({
  name: 'a',
  description: 'd',
  parameters: {},
  // @ts-expect-error neither text nor blocks
  output: { schema: { type: 'string' }, render: () => 5 },
  execute: () => 'x',
})

defineTool({
  name: 'a',
  description: 'd',
  parameters: {},
  output: defineValue({ type: 'integer' }),
  execute: () => 5,
})

defineTool({ name: 'a', description: 'd', parameters: {}, execute: async () => {} })
defineTool({ name: 'a', description: 'd', parameters: {}, execute: () => ({ any: ['json'] }) })

defineTool({
  name: 'a',
  description: 'd',
  parameters: defineParameters({ id: { type: 'integer', required: true } }, { closed: true }),
  execute: args => {
    expectTypeOf(args).toEqualTypeOf<{ id: number }>()
  },
})

declare const foreign: StandardSchema<{ city: string }>
defineTool({
  name: 'a',
  description: 'd',
  parameters: foreign,
  execute: args => {
    expectTypeOf(args).toEqualTypeOf<{ city: string }>()
  },
})

defineTool({
  name: 'a',
  description: 'd',
  parameters: fromJsonSchema({ type: 'object' }),
  execute: args => {
    expectTypeOf(args).toEqualTypeOf<JsonObject>()
  },
})

interface Forecast {
  city: string
  days?: number | undefined
}

defineTool({
  name: 'a',
  description: 'd',
  parameters: z.object({ city: z.string().min(2), days: z.int().optional() }),
  conflictKey: args => args.city,
  execute: args => {
    expectTypeOf(args).toEqualTypeOf<Forecast>()
  },
})

// What the model sends, not what the library would make of it.
defineTool({
  name: 'a',
  description: 'd',
  parameters: z.object({ city: z.string().transform(city => city.length), days: z.int().default(3) }),
  execute: args => {
    expectTypeOf(args).toEqualTypeOf<Forecast>()
  },
})

defineTool({
  name: 'a',
  description: 'd',
  parameters: toStandardJsonSchema(v.object({ city: v.string(), days: v.optional(v.number()) })),
  execute: args => {
    expectTypeOf(args).toEqualTypeOf<Forecast>()
  },
})

defineTool({
  name: 'a',
  description: 'd',
  parameters: type({ city: 'string', 'days?': 'number' }),
  execute: args => {
    expectTypeOf(args).toEqualTypeOf<{ city: string; days?: number }>()
  },
})

defineTool({
  name: 'a',
  description: 'd',
  parameters: fromJsonSchema<{ city: string }>({ type: 'object' }),
  execute: args => {
    expectTypeOf(args).toEqualTypeOf<{ city: string }>()
  },
})

defineTool({
  name: 'a',
  description: 'd',
  parameters: z.object({ city: z.string() }),
  // @ts-expect-error a property that the schema does not have
  conflictKey: ({ town }) => String(town),
  execute: () => null,
})

expectTypeOf(readFile.execute).returns.toEqualTypeOf<Promise<JsonValue>>()
