import { expect, it } from 'vitest'
import { compileSchema, defineParameters, defineValue, type JsonSchemaNode } from './index.js'

// Inputs that broke tool calls in public reports, each by the name of its hazard.

const args = defineParameters(
  {
    path: { type: 'string', required: true },
    limit: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
    filter: { type: 'object', additionalProperties: true },
  },
  { closed: true },
)

const told = (value: unknown) => args.violations(value)

it('string for integer', () => {
  expect(told({ path: 'x', limit: '10' })).toEqual([
    '"limit" must be an integer (received string "10"; send the number without quotes)',
  ])
})

it('number for string', () => {
  expect(told({ path: 5 })).toEqual(['"path" must be a string (received number 5)'])
})

it('null for optional', () => {
  expect(told({ path: 'x', limit: null })).toEqual([
    '"limit" must be an integer (received null; it is optional: leave it out instead)',
  ])
  expect(told({ path: null })).toEqual(['"path" must be a string (received null)'])
})

it('"null"', () => {
  expect(told({ path: 'x', limit: 'null' })).toEqual([
    '"limit" must be an integer (received string "null"; it is optional: leave it out instead)',
  ])
})

it('missing arguments', () => {
  expect(told({})).toEqual(['"path" is required but missing (expected a string)'])
  expect(told(undefined)).toEqual(['"arguments" must be an object (received undefined)'])
})

it('empty text', () => {
  expect(defineParameters({}).parse('')).toEqual({ ok: true, value: {} })
  expect(args.parse(' \n')).toMatchObject({
    ok: false,
    violations: ['"path" is required but missing (expected a string)'],
  })
  expect(defineValue({ type: 'string' }).parse('').ok).toBe(false)
})

it('JSON text for an array', () => {
  expect(told({ path: 'x', tags: '["a"]' })).toEqual([
    '"tags" must be an array (received string "[\\"a\\"]"; send the array itself, not its JSON text)',
  ])
})

it('one-key-string object', () => {
  expect(told({ path: { path: 'x' } })).toEqual(['"path" must be a string (received an object)'])
  expect(args.parse('"{\\"path\\":\\"x\\"}"')).toMatchObject({
    ok: false,
    violations: [expect.stringContaining('send the object itself, not its JSON text')],
  })
})

it('rounded integer', () => {
  const id = defineParameters({ id: { type: 'integer', required: true } })
  expect(id.parse('{"id":9007199254740991}').ok).toBe(true)
  expect(id.parse('{"id":9007199254740993}')).toMatchObject({
    ok: false,
    violations: [expect.stringContaining('received 9007199254740993, which would be rounded')],
  })
})

it('__proto__ property', () => {
  const outcome = args.parse('{"path":"x","__proto__":{"limit":1}}')
  expect(outcome).toMatchObject({
    ok: false,
    violations: [expect.stringContaining('"__proto__" is not a declared')],
  })
  const schema = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"integer"}},"required":["__proto__"]}',
  ) as JsonSchemaNode
  expect(compileSchema(schema).check(JSON.parse('{"__proto__":1}'))).toBe(true)
  expect(compileSchema(schema).check({})).toBe(false)
})

it('inherited required', () => {
  expect(args.check(Object.create({ path: 'x' }))).toBe(false)
  const inherited = defineParameters({ toString: { type: 'json', required: true } })
  expect(inherited.violations({})).toEqual(['"toString" is required but missing (expected a JSON value)'])
})

it('5 000 properties', () => {
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`p${index}`, index]))
  expect(args.issues({ path: 'x', ...many })).toHaveLength(5000)
})

it('20 000 unknown levels', () => {
  const text = `{"path":"x","filter":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`
  expect(args.parse(text).ok).toBe(true)
})

it('untagged nested unions', () => {
  const leaf = { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] } as const
  const nested = defineValue({
    oneOf: [leaf, { type: 'object', additionalProperties: false, properties: { any: leaf } }],
  })
  expect(nested.violations({ any: [1] })).toEqual(['"any[0]" must be a string (received number 1)'])
})

it('hostile error volume', () => {
  const outcome = args.parse(JSON.stringify({ path: 'x', tags: Array.from({ length: 100_000 }, () => 1) }))
  expect(outcome.ok ? 0 : outcome.text.length).toBeLessThan(2048)
})

it('cap inside oneOf', () => {
  const capped = defineValue({ oneOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] })
  expect(capped.violations([1, 2, 3], { limit: 1 })).toEqual([
    '"[0]" must be a string (received number 1)',
    'and 2 more',
  ])
})

it('NaN', () => {
  expect(told({ path: 'x', limit: NaN })).toEqual(['"limit" must be an integer (received number NaN)'])
})

it('CSP host', () => {
  const original = globalThis.Function
  try {
    globalThis.Function = (() => {
      throw new Error('eval is forbidden here')
    }) as unknown as FunctionConstructor
    expect(compileSchema({ type: 'object', properties: { a: { type: 'null' } } }).check({ a: null })).toBe(
      true,
    )
  } finally {
    globalThis.Function = original
  }
})

it('key with slash', () => {
  const slashed = defineParameters({ 'a/b~c': { type: 'null' } })
  expect(slashed.issues({ 'a/b~c': 1 })).toMatchObject([{ pointer: '/a~1b~0c', path: ['a/b~c'] }])
})

it('emoji key', () => {
  expect(defineParameters({ '🔑': { type: 'null' } }).violations({ '🔑': 1 })).toEqual([
    '"🔑" must be null (received number 1)',
  ])
})

it('integer/number overlap', () => {
  const overlap = defineValue({ oneOf: [{ type: 'integer' }, { type: 'number' }] })
  expect(overlap.warnings).toHaveLength(1)
  expect(overlap.check(1)).toBe(false)
})

it('identical branches', () => {
  expect(defineValue({ oneOf: [{ type: 'string' }, { type: 'string' }] }).warnings).toHaveLength(1)
})

it('0-versus-many wording', () => {
  const choice = defineValue({ oneOf: [{ type: 'integer' }, { type: 'number' }] })
  expect(choice.violations('x')).toEqual(['"arguments" must be an integer or a number (received string "x")'])
  expect(choice.violations(1)).toEqual([
    '"arguments" must match exactly one of 2 forms, but matches 2 of them',
  ])
})

it('bad tag', () => {
  const tagged = defineParameters({
    step: {
      oneOf: ['read', 'write'].map(kind => ({
        type: 'object' as const,
        additionalProperties: false,
        properties: { kind: { type: 'string' as const, const: kind, required: true } },
      })),
    },
  })
  expect(tagged.violations({ step: { kind: 'raed' } })).toEqual([
    '"step.kind" must be one of "read", "write" (received string "raed")',
  ])
})

it('misspelt key', () => {
  expect(told({ path: 'x', Limit_: 1 })).toEqual([
    '"Limit_" is not a declared property (did you mean "limit"?)',
  ])
})

it('lone surrogate', () => {
  expect(told({ path: '\ud83d' })).toEqual([
    '"path" must be well-formed text (received a string with a lone surrogate)',
  ])
  expect(args.parse('{"path":"\\ud83d"}').ok).toBe(false)
  expect(compileSchema({}).check({ '\udc00': 1 })).toBe(false)
})

it('type array', () => {
  expect(() => compileSchema({ type: ['string', 'null'] as unknown as 'string' })).toThrow('must be one type')
})

it('cycle', () => {
  const filter: Record<string, unknown> = {}
  filter['self'] = filter
  expect(told({ path: 'x', filter })).toEqual(['"filter.self" is circular'])
})

it('Symbol key', () => {
  expect(told({ path: 'x', [Symbol('hidden')]: 1 })).toEqual([
    '"arguments" must be plain JSON (received an object with symbol keys)',
  ])
})

// The hazard "`any` leak in inference" is held by infer.test-d.ts.
