import { expect, it } from 'vitest'
import { compileSchema, defineValue } from './index.js'

const shape = defineValue({
  oneOf: [
    {
      type: 'object',
      additionalProperties: false,
      properties: {
        kind: { type: 'string', const: 'circle', required: true },
        radius: { type: 'number', required: true },
      },
    },
    {
      type: 'object',
      additionalProperties: false,
      properties: {
        kind: { type: 'string', enum: ['square', 'cube'], required: true },
        side: { type: 'number', required: true },
      },
    },
    { type: 'null' },
  ],
})

it('accepts a value that exactly one branch accepts', () => {
  expect(shape.check({ kind: 'cube', side: 2 })).toBe(true)
  expect(shape.check(null)).toBe(true)
})

it('lets the tag choose the branch that explains (invariant 2)', () => {
  expect(shape.violations({ kind: 'square', radius: 1 })).toEqual([
    '"side" is required but missing (expected a number)',
    '"radius" is not a declared property (declared: one of "kind", "side")',
  ])
})

it('names the allowed tags for a bad tag and for a missing one', () => {
  expect(shape.violations({ kind: 'line' })).toEqual([
    '"kind" must be one of "circle", "square", "cube" (received string "line")',
  ])
  expect(shape.violations({ kind: {} })).toEqual([
    '"kind" must be one of "circle", "square", "cube" (received an object)',
  ])
  expect(shape.violations({ radius: 1 })).toEqual([
    '"kind" is required but missing (expected one of "circle", "square", "cube")',
  ])
})

it('names the possible types when the type fits no branch (invariant 3)', () => {
  expect(shape.violations(5)).toEqual([
    '"arguments" must be null or an object whose "kind" is one of "circle", "square", "cube" (received number 5)',
  ])
})

it('counts how many branches accept a value (invariant 1)', () => {
  const three = defineValue({ oneOf: [{ type: 'number' }, { type: 'integer' }, { type: 'json' }] })
  expect(three.violations(1)).toEqual([
    '"arguments" must match exactly one of 3 forms, but matches 3 of them',
  ])
  expect(three.violations(1.5)).toEqual([
    '"arguments" must match exactly one of 3 forms, but matches 2 of them',
  ])
  expect(three.check('x')).toBe(true)
  expect(three.check(1)).toBe(false)
})

it('explains with the branch that matches best when there is no tag (invariant 4)', () => {
  const source = defineValue({
    oneOf: [
      {
        type: 'object',
        additionalProperties: false,
        properties: { url: { type: 'string', required: true }, depth: { type: 'integer' } },
      },
      {
        type: 'object',
        additionalProperties: false,
        properties: { path: { type: 'string', required: true }, depth: { type: 'integer' } },
      },
    ],
  })
  expect(source.violations({ path: 'x', depth: 'deep' })).toEqual([
    '"depth" must be an integer (received string "deep")',
  ])
})

it('does not take an optional tag that is missing for a bad one', () => {
  const lenient = defineValue({
    oneOf: [
      {
        type: 'object',
        additionalProperties: false,
        properties: { kind: { type: 'string', const: 'a' }, a: { type: 'integer', required: true } },
      },
      {
        type: 'object',
        additionalProperties: false,
        properties: { kind: { type: 'string', const: 'b' }, b: { type: 'integer', required: true } },
      },
    ],
  })
  expect(lenient.check({ b: 1 })).toBe(true)
  expect(lenient.check({ kind: 'a', b: 1 })).toBe(false)
})

it('ignores a tag that is only inherited', () => {
  const lenient = compileSchema({
    oneOf: ['a', 'b'].map(name => ({
      type: 'object' as const,
      properties: { kind: { type: 'string' as const, const: name }, [name]: { type: 'integer' as const } },
      required: [name],
    })),
  })
  Object.defineProperty(Object.prototype, 'kind', { value: 'a', configurable: true })
  try {
    expect(lenient.check({ b: 1 })).toBe(true)
  } finally {
    delete (Object.prototype as { kind?: unknown }).kind
  }
})

it('takes no property for a tag that two branches share a value of', () => {
  const overlapping = compileSchema({
    oneOf: [
      { type: 'object', properties: { kind: { type: 'string', enum: ['a', 'b'] } }, required: ['kind'] },
      { type: 'object', properties: { kind: { type: 'string', enum: ['b', 'c'] } }, required: ['kind'] },
    ],
  })
  expect(['a', 'b', 'c'].map(kind => overlapping.check({ kind }))).toEqual([true, false, true])
})

it('counts exactly at every level of nested choices', () => {
  const nested = defineValue({
    oneOf: [{ oneOf: [{ type: 'integer' }, { type: 'number' }] }, { type: 'number' }],
  })
  // The inner choice refuses 1, because both its branches accept it; so exactly one outer branch accepts 1.
  expect(nested.check(1)).toBe(true)
  expect(nested.check(1.5)).toBe(false)
})

it('warns at definition of branches that no value can tell apart', () => {
  expect(shape.warnings).toEqual([])
  expect(defineValue({ oneOf: [{ type: 'integer' }, { type: 'number' }] }).warnings).toEqual([
    'branches 0 and 1 of a "oneOf" overlap: every integer is also a number',
  ])
  const twice = { type: 'array', items: { type: 'object', additionalProperties: true } } as const
  const described = { ...twice, description: 'the same, in other words' } as const
  expect(defineValue({ oneOf: [twice, { type: 'null' }, described] }).warnings).toEqual([
    'branches 0 and 2 of a "oneOf" are identical: no value fits exactly one of them',
  ])
})
