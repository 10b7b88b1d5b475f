import { expect, it } from 'vitest'
import { createToolRuntime, defineTool, type ParametersInput, toAnthropic, toOpenAI } from './index.js'

function schemaOf(parameters: ParametersInput, closed = false) {
  const tool = defineTool({
    name: 'a',
    description: 'd',
    parameters: parameters as never,
    closed,
    execute: () => null,
  })
  const [schema] = createToolRuntime({ tools: [tool] }).schemas()
  if (!schema) throw new Error('expected one schema')
  return schema
}

const branches = { oneOf: [{ type: 'string' }, { type: 'integer' }], required: true } as const

it('converts a simple tool without a loss', () => {
  const schema = schemaOf({ path: { type: 'string', required: true } })
  expect(toOpenAI(schema)).toEqual({
    tool: {
      type: 'function',
      function: { name: 'a', description: 'd', parameters: schema.parameters, strict: false },
    },
    weakened: [],
    refused: [],
  })
  expect(toAnthropic(schema)).toEqual({
    tool: { name: 'a', description: 'd', input_schema: schema.parameters },
    weakened: [],
    refused: [],
  })
})

it('sends oneOf as anyOf where oneOf is refused, at every depth, and says so', () => {
  const { tool, weakened } = toOpenAI(
    schemaOf({
      id: branches,
      list: { type: 'array', items: { oneOf: branches.oneOf } },
      __proto__x: { type: 'object', additionalProperties: false, properties: { id: branches } },
    }),
  )
  expect(JSON.stringify(tool)).not.toContain('oneOf')
  expect(tool.function.parameters).toMatchObject({
    properties: {
      id: { anyOf: branches.oneOf },
      list: { items: { anyOf: branches.oneOf } },
      __proto__x: { properties: { id: { anyOf: branches.oneOf } }, required: ['id'] },
    },
  })
  expect(weakened.map(sentence => sentence.split('"')[1])).toEqual([
    'schema.properties.id',
    'schema.properties.list.items',
    'schema.properties.__proto__x.properties.id',
  ])
})

it('gives items to arrays of anything, because they are refused without', () => {
  const { tool, weakened } = toOpenAI(schemaOf({ list: { type: 'array' } }))
  expect(tool.function.parameters).toMatchObject({ properties: { list: { type: 'array', items: {} } } })
  expect(weakened).toEqual([])
})

it('is strict only where the strict dialect can say all of it, and otherwise says what stands in the way', () => {
  const strict = { strict: true }
  const closed = toOpenAI(schemaOf({ path: { type: 'string', required: true }, id: branches }, true), strict)
  expect(closed.tool.function.strict).toBe(true)
  expect(closed.weakened).toHaveLength(1)
  for (const [schema, obstacle] of [
    [schemaOf({ path: { type: 'string', required: true } }), /additionalProperties/],
    [schemaOf({ path: { type: 'string' } }, true), /optional: path/],
    [schemaOf({ any: { type: 'json', required: true } }, true), /must have a "type"/],
    [schemaOf({ list: { type: 'array', required: true } }, true), /must have "items"/],
  ] as const) {
    const { tool, weakened } = toOpenAI(schema, strict)
    expect(tool.function.strict).toBe(false)
    expect(weakened.join('\n')).toMatch(obstacle)
  }
})

it('says what Anthropic refuses', () => {
  const { refused } = toAnthropic(schemaOf({ 'with space': { type: 'string' } }))
  expect(refused).toHaveLength(1)
  expect(refused[0]).toContain('with space')
})
