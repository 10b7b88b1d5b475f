import { expect, it } from 'vitest'
import { compileSchema, defineParameters, type JsonSchemaNode } from './index.js'

const { '~standard': standard, jsonSchema } = defineParameters({ limit: { type: 'integer', required: true } })

it('validates through Standard Schema v1', () => {
  expect(standard).toMatchObject({ version: 1, vendor: 'agent-spine' })
  expect(standard.validate({ limit: 1 })).toEqual({ value: { limit: 1 } })
  const { issues } = standard.validate({ limit: 'x' })
  expect(issues).toMatchObject([
    { path: ['limit'], message: '"limit" must be an integer (received string "x")' },
  ])
})

it('gives its JSON Schema in both dialects, for input and output, and refuses others', () => {
  const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#', ...jsonSchema }
  expect(standard.jsonSchema.input({ target: 'draft-07' })).toEqual(draft7)
  expect(standard.jsonSchema.output({ target: 'draft-2020-12' })).toEqual({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...jsonSchema,
  })
  expect(() => standard.jsonSchema.input({ target: 'openapi-3.0' })).toThrow(
    expect.objectContaining({ code: 'UNSUPPORTED_TARGET' }),
  )
})

it('hands out a schema that its consumer may change, and that shares what ours shares', () => {
  let node: JsonSchemaNode = { type: 'integer' }
  for (let level = 0; level < 20; level++) {
    node = { type: 'object', properties: { left: node, right: node } }
  }
  const validator = compileSchema(node)
  const copy = validator['~standard'].jsonSchema.input({ target: 'draft-07' })
  const { left, right } = copy['properties'] as { left: object; right: object }
  expect(left).toBe(right)
  Object.assign(left, { additionalProperties: false })
  expect(validator.jsonSchema.properties?.['left']).not.toHaveProperty('additionalProperties')
})
