import { expect, it } from 'vitest'
import {
  assertObjectJsonSchema,
  assertSupportedJsonSchema,
  compileSchema,
  defineParameters,
  type JsonSchemaError,
  type JsonSchemaNode,
  valueSchemaSpecToJsonSchema,
} from './index.js'

function violationsOf(run: () => unknown): readonly string[] {
  try {
    run()
  } catch (error) {
    expect(error).toMatchObject({ name: 'JsonSchemaError', code: 'UNSUPPORTED_SCHEMA' })
    return (error as JsonSchemaError).violations
  }
  return []
}

const refused = (schema: unknown) => violationsOf(() => assertSupportedJsonSchema(schema))

const keywords = [
  'allOf',
  'anyOf',
  'not',
  '$ref',
  'if',
  'then',
  'else',
  'pattern',
  'minimum',
  'maximum',
  'format',
  '$schema',
  'x-y',
]

it.each(keywords)('refuses the keyword %s and never ignores it', keyword => {
  expect(refused({ type: 'object', properties: { a: { type: 'string', [keyword]: 1 } } })).toEqual([
    `"schema.properties.a" has the unsupported keyword "${keyword}"`,
  ])
})

const misplaced: [name: string, schema: unknown, complaint: string][] = [
  ['a type array', { type: ['string', 'null'] }, '"schema.type" must be one type'],
  ['an unknown type', { type: 'date' }, '"schema.type" must be the name of a JSON type'],
  ['an inherited name as type', { type: 'toString' }, '"schema.type" must be the name'],
  ['a boolean schema', true, '"schema" must be a schema object'],
  ['enum without type', { enum: ['a'] }, '"schema.enum" needs a scalar "type"'],
  ['const without type', { const: 1 }, '"schema.const" needs a scalar "type"'],
  ['properties without type', { properties: {} }, '"schema.properties" needs "type": "object"'],
  ['required without type', { required: [] }, '"schema.required" needs "type": "object"'],
  ['items without type', { items: {} }, '"schema.items" needs "type": "array"'],
  ['items beside object', { type: 'object', items: {} }, '"schema.items" needs "type": "array"'],
  ['an empty enum', { type: 'string', enum: [] }, '"schema.enum" must be an array of at least one value'],
  [
    'an enum of another type',
    { type: 'integer', enum: [1, 1.5] },
    '"schema.enum" must hold values of type "integer"',
  ],
  ['enum against const', { type: 'string', enum: ['a'], const: 'b' }, 'exclude each other'],
  ['a oneOf of one', { oneOf: [{}] }, '"schema.oneOf" must be an array of two or more'],
  ['a oneOf beside type', { type: 'string', oneOf: [{}, {}] }, '"schema.type" cannot stand beside "oneOf"'],
  ['an undeclared required name', { type: 'object', required: ['a'] }, '"schema.required" names string "a"'],
  [
    'a schema for additionalProperties',
    { type: 'object', additionalProperties: {} },
    'must be true or false',
  ],
  ['a description that is no string', { description: 1 }, '"schema.description" must be a string'],
  ['an annotation that is not lossless', { default: NaN }, '"schema.default" must be a JSON value'],
  ['a class instance', new Date(0), '"schema" must be plain JSON'],
  ['undefined', undefined, '"schema" must be a JSON value'],
]

it.each(misplaced)('refuses %s', (_, schema, complaint) => {
  const violations = refused(schema)
  expect(violations).toHaveLength(1)
  expect(violations[0]).toContain(complaint)
})

it('lists every offending path at once', () => {
  const schema = {
    type: 'object',
    properties: { a: { pattern: 'x' }, b: { type: 'array', items: { enum: [] } } },
    not: {},
  }
  expect(refused(schema)).toHaveLength(3)
})

it('refuses a circular schema and takes a shared one', () => {
  const circular: Record<string, unknown> = { type: 'array' }
  circular['items'] = circular
  expect(refused(circular)).toEqual(['"schema.items" is circular'])
  const shared: JsonSchemaNode = { type: 'string' }
  const both = compileSchema({ type: 'object', properties: { a: shared, b: shared } })
  expect(both.check({ a: 'x', b: 'y' })).toBe(true)
  expect(both.check({ a: 'x', b: 1 })).toBe(false)
})

it('reads a schema once and detaches from it', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } } as const
  const validator = compileSchema(schema)
  expect(compileSchema(schema)).toBe(validator)
  expect(compileSchema(validator.jsonSchema)).toBe(validator)
  expect(validator.jsonSchema).toEqual(schema)
  expect(validator.jsonSchema).not.toBe(schema)
  expect(Object.isFrozen(validator.jsonSchema.properties?.['a'])).toBe(true)
})

it('is not led astray by a polluted prototype', () => {
  const prototype = Object.prototype as Record<string, unknown>
  prototype['type'] = 'string'
  prototype['path'] = 'inherited'
  try {
    expect(compileSchema({ description: 'any' }).check(5)).toBe(true)
    const args = defineParameters({ path: { type: 'string', required: true } })
    expect([args.check({}), args.check({}, { parsed: true })]).toEqual([false, false])
    expect([args.check({ path: 'own' }), args.issues({ path: 'own' })]).toEqual([true, []])
  } finally {
    delete prototype['type']
    delete prototype['path']
  }
})

it('asks for an object at the root of parameters', () => {
  expect(violationsOf(() => assertObjectJsonSchema({ type: 'string' }))).toHaveLength(1)
  expect(violationsOf(() => assertObjectJsonSchema({ type: 'object' }))).toEqual([])
})

it('translates the DSL: open root, required lists, json', () => {
  const spec = {
    a: { type: 'json', required: true, description: 'x' },
    b: { type: 'null', required: false },
  } as const
  expect(defineParameters(spec).jsonSchema).toEqual({
    type: 'object',
    properties: { a: { description: 'x' }, b: { type: 'null' } },
    required: ['a'],
  })
  expect(defineParameters({}, { closed: true }).jsonSchema).toEqual({
    type: 'object',
    properties: {},
    additionalProperties: false,
  })
})

const specs: [name: string, spec: unknown, complaint: string][] = [
  ['a node without type', {}, '"spec" must have a "type" or a "oneOf"'],
  ['an object that does not say if it is open', { type: 'object' }, 'must say "additionalProperties"'],
  [
    'a list of required names',
    { type: 'object', additionalProperties: true, required: ['a'] },
    'belongs on a property',
  ],
  ['a required root', { type: 'string', required: true }, '"spec.required" belongs on a property'],
  [
    'a required item',
    { type: 'array', items: { type: 'null', required: true } },
    '"spec.items.required" belongs',
  ],
  ['a keyword of JSON Schema', { type: 'string', minLength: 1 }, 'has the unsupported keyword "minLength"'],
]

it.each(specs)('refuses, in a spec, %s', (_, spec, complaint) => {
  expect(violationsOf(() => valueSchemaSpecToJsonSchema(spec as { type: 'null' })).join()).toContain(
    complaint,
  )
})

it('complains of a hostile schema without reading it to the bottom', () => {
  let deep: unknown = 1
  for (let level = 0; level < 100_000; level++) deep = [deep]
  for (const schema of [{ items: deep, type: 'array' }, { type: deep }, { type: 'integer', enum: [deep] }]) {
    expect(refused(schema)).toHaveLength(1)
  }
})
