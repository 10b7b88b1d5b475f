import { existsSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { randomJson, randomValue, seededRandom } from '../fuzz/generate.js'
import {
  compileSchema,
  importJsonSchema,
  type ImportOptions,
  type JsonSchemaError,
  type JsonSchemaNode,
} from './index.js'

const imported = (foreign: unknown, options?: ImportOptions) => importJsonSchema(foreign, options).schema

function refusal(foreign: unknown, options?: ImportOptions): string {
  try {
    imported(foreign, options)
  } catch (error) {
    return (error as JsonSchemaError).violations.join('; ')
  }
  return ''
}

it('drops what says nothing and reports it', () => {
  const { schema, changes } = importJsonSchema({
    $schema: 'x',
    $comment: 'y',
    'x-ui': 1,
    odd: 1,
    type: 'string',
  })
  expect(schema).toEqual({ type: 'string' })
  expect(changes.map(({ keyword, effect }) => `${keyword} ${effect}`)).toEqual([
    '$schema same',
    '$comment same',
    'x-ui same',
    'odd same',
  ])
})

it('moves bounds, lengths, pattern and format into the description, as weaker', () => {
  const { schema, changes } = importJsonSchema({
    type: 'integer',
    minimum: 1,
    maximum: 9,
    description: 'How many.',
  })
  expect(schema).toEqual({ type: 'integer', description: 'How many. (minimum: 1) (maximum: 9)' })
  expect(changes.every(({ effect }) => effect === 'weaker')).toBe(true)
})

it('turns type arrays, nullable and disjoint anyOf into oneOf', () => {
  const expected = { oneOf: [{ type: 'string' }, { type: 'null' }] }
  expect(imported({ type: ['string', 'null'] })).toEqual(expected)
  expect(imported({ type: 'string', nullable: true })).toEqual(expected)
  expect(imported({ type: ['integer', 'number'] })).toEqual({ type: 'number' })
  expect(imported({ anyOf: [{ type: 'string' }, { type: 'null' }] })).toEqual(expected)
  expect(imported({ anyOf: [{ type: 'integer' }, { type: 'number' }] })).toEqual({ type: 'number' })
  expect(imported({ enum: ['a', 1, null] })).toEqual({
    oneOf: [
      { type: 'string', enum: ['a'] },
      { type: 'number', enum: [1] },
      { type: 'null', enum: [null] },
    ],
  })
})

it('inlines local references once each, and refuses circular ones', () => {
  const foreign = {
    type: 'object',
    properties: { a: { $ref: '#/$defs/T' }, b: { $ref: '#/$defs/T', description: 'other' } },
    $defs: { T: { type: 'string', description: 'one' } },
  }
  expect(imported(foreign).properties).toEqual({
    a: { type: 'string', description: 'one' },
    b: { type: 'string', description: 'other' },
  })
  expect(
    refusal({ $defs: { T: { type: 'array', items: { $ref: '#/$defs/T' } } }, $ref: '#/$defs/T' }),
  ).toContain('circular')
  expect(refusal({ $ref: 'other.json#/T' })).toContain('not a local schema')
})

it('opens an object whose additionalProperties is a schema', () => {
  const { schema, changes } = importJsonSchema({ type: 'object', additionalProperties: { type: 'string' } })
  expect(schema).toEqual({ type: 'object' })
  expect(changes).toMatchObject([{ keyword: 'additionalProperties', effect: 'weaker' }])
})

it('refuses overlapping branches, and with lossy widens them to a union', () => {
  const overlapping = {
    anyOf: [
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
      { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } }, required: ['a', 'b'] },
    ],
  }
  expect(refusal(overlapping)).toContain('overlapping branches')
  expect(imported(overlapping, { lossy: true })).toEqual({
    type: 'object',
    properties: { a: { type: 'string' }, b: {} },
    required: ['a'],
  })
})

it('keeps a oneOf that overlaps only while it means exactly what it meant', () => {
  const exact = { oneOf: [{ type: 'number' }, { type: 'integer' }] }
  expect(imported(exact)).toEqual(exact)
  const weakened = {
    oneOf: [
      { type: 'string', maxLength: 3 },
      { type: 'string', minLength: 4 },
    ],
  }
  expect(refusal(weakened)).toContain('overlapping branches')
  expect(compileSchema(imported(weakened, { lossy: true })).check('abcd')).toBe(true)
})

it('drops conditions only when it may be lossy', () => {
  const conditional = { type: 'object', if: { required: ['a'] }, then: { required: ['b'] } }
  expect(refusal(conditional)).toContain('"if", which only { lossy: true } can drop')
  expect(importJsonSchema(conditional, { lossy: true }).changes).toHaveLength(2)
})

it('survives a hostile schema', () => {
  let deep: unknown = { type: 'null' }
  for (let level = 0; level < 100_000; level++) deep = { type: 'array', items: deep }
  expect(refusal(deep)).toContain('nested deeper')
  expect(refusal({ type: 'integer', minimum: deep })).toContain('nested deeper')
  const tower: Record<string, unknown> = { t0: { type: 'null' } }
  for (let level = 1; level < 60; level++) {
    const below = { $ref: `#/$defs/t${level - 1}`, title: 'x' }
    tower[`t${level}`] = { type: 'object', properties: { left: below, right: { ...below } } }
  }
  expect(compileSchema(imported({ $defs: tower, $ref: '#/$defs/t59' })).check({ left: { right: {} } })).toBe(
    true,
  )
  expect(refusal({ type: 'object', properties: { a: false } })).toContain('must be a schema')
  expect(refusal({ default: NaN })).toContain('lossless')
})

interface Tool {
  readonly name: string
  readonly inputSchema: object
}

const file = new URL('../../../../shared/data/mcp-tool-schemas.json', import.meta.url)

describe.skipIf(!existsSync(file))('on public MCP tool schemas', () => {
  const tools = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Tool[]) : []
  const settings = { strict: false, validateFormats: false, logger: false, addUsedSchema: false } as const
  const draft7 = new Ajv(settings)
  const draft2020 = new Ajv2020(settings)

  const accepted = (options: ImportOptions) => tools.filter(tool => refusal(tool.inputSchema, options) === '')

  it('takes at least 93 % without loss and 99 % with', () => {
    expect(accepted({}).length / tools.length).toBeGreaterThanOrEqual(0.93)
    expect(accepted({ lossy: true }).length / tools.length).toBeGreaterThanOrEqual(0.99)
  })

  it('never refuses what the original accepts', { timeout: 60_000 }, () => {
    let compared = 0
    for (const options of [{}, { lossy: true }]) {
      for (const { name, inputSchema } of accepted(options)) {
        const isNew = JSON.stringify(inputSchema).includes('draft/2020-12')
        const accepts = (isNew ? draft2020 : draft7).compile(inputSchema)
        const schema: JsonSchemaNode = imported(inputSchema, options)
        const validator = compileSchema(schema)
        const random = seededRandom(name.length)
        for (let index = 0; index < 60; index++) {
          const value = index % 6 === 0 ? randomJson(random, 3) : randomValue(random, schema, 8)
          if (typeof value !== 'object' || value === null || Array.isArray(value) || !accepts(value)) continue
          compared += 1
          expect(validator.violations(value), `${name}: ${JSON.stringify(value)}`).toEqual([])
        }
      }
    }
    expect(compared).toBeGreaterThan(5000)
  })
})
