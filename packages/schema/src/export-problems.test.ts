import { expect, it } from 'vitest'
import {
  defineParameters,
  defineValue,
  exportProblems,
  type JsonSchemaNode,
  type SchemaProvider,
} from './index.js'

const closed = {
  type: 'object',
  properties: { a: { type: 'string' } },
  required: ['a'],
  additionalProperties: false,
} as const
const providers: readonly SchemaProvider[] = ['openai', 'openai-strict', 'anthropic', 'gemini']

const inProperty = (node: JsonSchemaNode): JsonSchemaNode => ({
  type: 'object',
  properties: { a: node },
  required: ['a'],
  additionalProperties: false,
})

it('finds nothing wrong with the plainest schema', () => {
  expect(
    providers.filter(provider => provider !== 'gemini').flatMap(provider => exportProblems(closed, provider)),
  ).toEqual([])
  const open = defineParameters({ a: { type: 'string', required: true } })
  expect(exportProblems(open.jsonSchema, 'gemini')).toEqual([])
})

it.each(providers)('asks for an object at the root for %s', provider => {
  const choice = defineValue({ oneOf: [{ type: 'string' }, { type: 'null' }] })
  expect(exportProblems(choice.jsonSchema, provider)[0]).toContain(
    '"schema" must have "type": "object" at its root',
  )
})

const cases: [provider: SchemaProvider, what: string, node: JsonSchemaNode, complaint: string][] = [
  ['openai', 'a oneOf', { oneOf: [{ type: 'string' }, { type: 'null' }] }, 'must not use "oneOf"'],
  ['openai', 'an array without items', { type: 'array' }, 'must have "items"'],
  ['openai-strict', 'an open object', { type: 'object' }, 'must have "additionalProperties": false'],
  [
    'openai-strict',
    'an optional property',
    { type: 'object', properties: { b: { type: 'null' } }, additionalProperties: false },
    'must require all its properties; optional: b',
  ],
  ['openai-strict', 'any JSON', {}, 'must have a "type"'],
  ['openai-strict', 'a default', { type: 'string', default: 'x' }, 'must not have a "default"'],
  [
    'openai-strict',
    'a long enum of long strings',
    { type: 'string', enum: Array.from({ length: 251 }, (_, index) => `${index}`.padStart(80, 'x')) },
    'at most 15000 characters',
  ],
  [
    'openai-strict',
    'more than 1000 enum values',
    { type: 'integer', enum: Array.from({ length: 1001 }, (_, index) => index) },
    'at most 1000 enum values in all, found 1001',
  ],
  [
    'anthropic',
    'a name with a space',
    inProperty({ type: 'object', properties: { 'a b': {} } }),
    'found "a b"',
  ],
  ['gemini', 'a const', { type: 'string', const: 'x' }, 'must not use "const"'],
  ['gemini', 'an enum of integers', { type: 'integer', enum: [1] }, '"enum" on strings only'],
  ['gemini', 'an object without properties', { type: 'object' }, 'must declare a property'],
  ['gemini', 'any JSON', {}, 'must have a "type"'],
]

it.each(cases.map(([provider, what, ...rest]) => [`${provider}: ${what}`, provider, rest] as const))(
  'reports, to %s',
  (_, provider, [node, complaint]) => {
    expect(exportProblems(inProperty(node), provider).join('; ')).toContain(complaint)
  },
)

it('reports nesting beyond ten objects and too many properties to OpenAI strict', () => {
  let nested: JsonSchemaNode = closed
  for (let level = 0; level < 9; level++) nested = inProperty(nested)
  expect(exportProblems(nested, 'openai-strict')).toEqual([])
  expect(exportProblems(inProperty(nested), 'openai-strict')).toEqual([
    expect.stringContaining('must not be nested deeper than 10 objects'),
  ])
  const names = Array.from({ length: 5001 }, (_, index) => `p${index}`)
  const wide: JsonSchemaNode = {
    type: 'object',
    properties: Object.fromEntries(names.map(name => [name, { type: 'null' }])),
    required: names,
    additionalProperties: false,
  }
  expect(exportProblems(wide, 'openai-strict')).toEqual([
    '"schema" must have at most 5000 properties in all, found 5001',
  ])
})
