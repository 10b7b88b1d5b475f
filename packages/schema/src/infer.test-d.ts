import { expectTypeOf } from 'vitest'
import { defineParameters, defineValue, type Validator, type JsonValue } from './index.js'

const args = defineParameters({
  path: { type: 'string', required: true },
  limit: { type: 'integer' },
  mode: { enum: ['fast', 'slow'], type: 'string' },
  any: { type: 'json' },
  nested: {
    type: 'object',
    additionalProperties: false,
    properties: { a: { type: 'array', items: { type: 'null' } } },
  },
})
expectTypeOf(args).toEqualTypeOf<
  Validator<{
    path: string
    limit?: number
    mode?: 'fast' | 'slow'
    any?: JsonValue
    nested?: { a?: null[] }
  }>
>()
// @ts-expect-error a misspelt keyword
defineParameters({ path: { type: 'string', requried: true } })
// @ts-expect-error unknown nested
defineParameters({ path: { type: 'array', items: { type: 'string', minimum: 1 } } })
// @ts-expect-error additionalProperties must be written
defineParameters({ path: { type: 'object' } })
const u = defineValue({
  oneOf: [
    { type: 'string', const: 'a' },
    { type: 'array', items: { type: 'integer' } },
  ],
})
expectTypeOf(u).toEqualTypeOf<Validator<'a' | number[]>>()
