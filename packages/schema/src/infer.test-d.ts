import { expectTypeOf } from 'vitest'
import {
  compileSchema,
  defineParameters,
  defineValue,
  type InferArgs,
  type InferValue,
  type JsonSchemaNode,
  type JsonObject,
  type JsonValue,
  type ParameterSchemaSpec,
  type StandardProps,
  type Validator,
  type ValueSchemaSpec,
} from './index.js'

const args = defineParameters({
  path: { type: 'string', required: true },
  limit: { type: 'integer' },
  mode: { type: 'string', enum: ['fast', 'slow'] },
  any: { type: 'json', required: true },
  late: { type: 'boolean', required: false },
  nested: {
    type: 'object',
    additionalProperties: false,
    properties: {
      none: { type: 'array', items: { type: 'null' } },
      one: { type: 'number', const: 1, required: true },
    },
  },
})
expectTypeOf(args).toEqualTypeOf<
  Validator<{
    path: string
    limit?: number
    mode?: 'fast' | 'slow'
    any: JsonValue
    late?: boolean
    nested?: { none?: null[]; one: 1 }
  }>
>()

const value: unknown = null
if (args.check(value)) expectTypeOf(value.nested?.one).toEqualTypeOf<1 | undefined>()

const outcome = args.parse('')
if (outcome.ok) expectTypeOf(outcome.value.limit).toEqualTypeOf<number | undefined>()
else expectTypeOf(outcome.text).toEqualTypeOf<string>()

expectTypeOf(
  defineValue({
    oneOf: [{ type: 'string', const: 'a' }, { type: 'array', items: { type: 'integer' } }, { type: 'array' }],
  }),
).toEqualTypeOf<Validator<'a' | number[] | JsonValue[]>>()
expectTypeOf(defineValue({ type: 'object', additionalProperties: true })).toEqualTypeOf<
  Validator<JsonObject>
>()
expectTypeOf(defineParameters({}).jsonSchema).toEqualTypeOf<JsonSchemaNode>()
expectTypeOf(compileSchema({ type: 'null' })).toEqualTypeOf<Validator<JsonValue>>()

// What is not known exactly is any JSON, and never `any`.
expectTypeOf<InferValue<ValueSchemaSpec>>().toEqualTypeOf<JsonValue>()
expectTypeOf<InferArgs<ParameterSchemaSpec>>().toEqualTypeOf<JsonObject>()
expectTypeOf<InferArgs<{ a: { type: 'string' | 'array' } & ValueSchemaSpec }>>().not.toBeAny()
declare const unknownSpec: ParameterSchemaSpec
expectTypeOf(defineParameters(unknownSpec)).toEqualTypeOf<Validator<JsonObject>>()

// Sixteen levels and more.
type Nest<Depth extends number, Level extends 0[] = []> = Level['length'] extends Depth
  ? { type: 'integer' }
  : { type: 'array'; items: Nest<Depth, [...Level, 0]> }
type Unwrap<T> = T extends (infer Item)[] ? Unwrap<Item> : T
expectTypeOf<Unwrap<InferValue<Nest<24>>>>().toEqualTypeOf<number>()

// @ts-expect-error a misspelt keyword
defineParameters({ path: { type: 'string', requried: true } })
// @ts-expect-error a keyword outside the subset, nested
defineParameters({ path: { type: 'array', items: { type: 'string', minimum: 1 } } })
// @ts-expect-error a misplaced keyword
defineParameters({ path: { type: 'string', items: { type: 'string' } } })
// @ts-expect-error an object must say whether it is open
defineParameters({ path: { type: 'object' } })
// @ts-expect-error only properties are required
defineValue({ type: 'array', items: { type: 'string', required: true } })
// @ts-expect-error a type beside a choice
defineValue({ type: 'string', oneOf: [{ type: 'null' }, { type: 'string' }] })
// @ts-expect-error an enum of another type
defineValue({ type: 'string', enum: [1] })
// @ts-expect-error a misspelt keyword in a branch
defineValue({ oneOf: [{ type: 'null' }, { type: 'string', descripton: 'x' }] })

// The shape of both standards, as their consumers read it.
expectTypeOf<(typeof args)['~standard']>().toExtend<{
  readonly version: 1
  readonly vendor: string
  readonly types?: { readonly input: unknown; readonly output: unknown } | undefined
  readonly validate: (value: unknown) => unknown
  readonly jsonSchema: {
    readonly input: (options: { target: 'draft-07' }) => Record<string, unknown>
    readonly output: (options: { target: 'draft-07' }) => Record<string, unknown>
  }
}>()
expectTypeOf<NonNullable<StandardProps<1>['types']>['output']>().toEqualTypeOf<1>()
