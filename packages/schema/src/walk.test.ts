import { expect, it } from 'vitest'
import { compileSchema, defineParameters, defineValue, type JsonSchemaNode } from './index.js'

const levels = 1_000_000
const schemaLevels = 300_000

function nest(depth: number, innermost: unknown): unknown {
  let value = innermost
  for (let level = 0; level < depth; level++) value = { next: value }
  return value
}

it('checks a million levels of any JSON, and finds the flaw at the bottom (invariant 1)', () => {
  const validator = compileSchema({})
  expect(validator.check(nest(levels, 1))).toBe(true)
  const [violation, ...others] = validator.violations(nest(levels, NaN))
  expect(violation).toContain('must be a JSON value (received number NaN)')
  expect(others).toEqual([])
}, 60_000)

it('compiles and checks a schema of a hundred thousand levels (invariant 1)', () => {
  let schema: JsonSchemaNode = { type: 'integer' }
  for (let level = 0; level < schemaLevels; level++) schema = { type: 'object', properties: { next: schema } }
  const validator = compileSchema(schema)
  expect(validator.check(nest(schemaLevels, 1))).toBe(true)
  expect(validator.check(nest(schemaLevels, 'x'), { parsed: true })).toBe(false)
}, 60_000)

it('checks nested choices without trying any level twice', () => {
  let schema: JsonSchemaNode = { type: 'integer' }
  for (let level = 0; level < 2000; level++) {
    schema = {
      oneOf: [
        { type: 'object', properties: { next: schema } },
        { type: 'object', properties: { next: schema, other: {} }, required: ['other'] },
      ],
    }
  }
  const validator = compileSchema(schema)
  expect(validator.check(nest(2000, 1))).toBe(true)
  expect(validator.check(nest(2000, 1), { parsed: true })).toBe(true)
  expect(validator.violations(nest(2000, 'x'))).toHaveLength(1)
})

it('checks 100 000 properties, declared and undeclared', () => {
  const names = Array.from({ length: 100_000 }, (_, index) => `p${index}`)
  const schema: JsonSchemaNode = {
    type: 'object',
    properties: Object.fromEntries(names.map(name => [name, { type: 'integer' }])),
    required: names,
    additionalProperties: false,
  }
  const validator = compileSchema(schema)
  expect(validator.check(Object.fromEntries(names.map(name => [name, 1])))).toBe(true)
  expect(validator.issues({})).toHaveLength(100_000)
  expect(validator.issues(Object.fromEntries(names.map(name => [`${name}x`, 1])))).toHaveLength(200_000)
})

it('walks a tower of shared objects once under a schema', () => {
  let schema: JsonSchemaNode = { type: 'object', additionalProperties: false }
  let tower: Record<string, unknown> = {}
  for (let level = 0; level < 40; level++) {
    schema = { type: 'object', properties: { left: schema, right: schema }, additionalProperties: false }
    tower = { left: tower, right: tower }
  }
  expect(compileSchema(schema).check(tower)).toBe(true)
  expect(compileSchema(schema).issues({ ...tower, more: 1 })).toHaveLength(1)
})

it('reports missing names, then properties in schema order, then undeclared keys in value order', () => {
  const validator = defineParameters(
    {
      a: { type: 'string', required: true },
      b: { type: 'object', additionalProperties: false, properties: { x: { type: 'integer' } } },
      c: { type: 'array', items: { type: 'integer' } },
      d: { type: 'string' },
      e: { type: 'string', required: true },
    },
    { closed: true },
  )
  const value = { z: 1, d: 4, c: [1, 'two', 3.5], y: 2, b: { w: 1, x: 'no' } }
  expect(validator.issues(value).map(({ pointer, keyword }) => `${pointer} ${keyword}`)).toEqual([
    '/a required',
    '/e required',
    '/b/x type',
    '/b/w additionalProperties',
    '/c/1 type',
    '/c/2 type',
    '/d type',
    '/z additionalProperties',
    '/y additionalProperties',
  ])
})

it('lets a problem of a container hide nothing in it', () => {
  const validator = defineParameters({ a: { type: 'integer', required: true }, b: { type: 'integer' } })
  const odd = Object.assign(new Date(0), { b: 'x' })
  expect(validator.issues(odd).map(({ pointer, keyword }) => `${pointer} ${keyword}`)).toEqual([
    ' json',
    '/a required',
    '/b type',
  ])
})

it('reads each property once in a check and once when collecting (invariant 2)', () => {
  let reads = 0
  const value = {
    get limit() {
      reads += 1
      return 'x'
    },
  }
  const validator = defineParameters({ limit: { type: 'integer' } })
  validator.check(value)
  expect(reads).toBe(1)
  validator.violations(value)
  expect(reads).toBe(2)
})

it('goes on after a value that throws (invariant 4)', () => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  const validator = defineParameters({ a: { type: 'json' }, b: { type: 'array' }, c: { type: 'integer' } })
  const value = {
    a: proxy,
    get b() {
      throw new Error('no')
    },
    c: 'x',
  }
  expect(validator.issues(value).map(({ pointer }) => pointer)).toEqual(['/a', '/b', '/c'])
  expect(validator.issues(proxy)).toHaveLength(1)
})

it('survives a getter that starts another check', () => {
  const validator = defineParameters({ a: { type: 'integer', required: true }, list: { type: 'array' } })
  const value = {
    list: [1],
    get a() {
      return validator.check({ a: 'x' }) || validator.issues([]).length === 0 ? 'inner failed' : 1
    },
  }
  expect(validator.check(value)).toBe(true)
  expect(validator.issues(value)).toEqual([])
})

it('bounds endless generated trees and claimed lengths', () => {
  const endless = (): unknown => new Proxy({ next: 1 }, { get: () => endless() })
  expect(compileSchema({}).violations(endless(), { maxNodes: 500 })).toEqual([
    '"arguments" must hold at most 500 values in all',
  ])
  const long = new Proxy([], {
    get: (target, key): unknown => (key === 'length' ? 2 ** 50 : Reflect.get(target, key)),
  })
  expect(compileSchema({ type: 'array' }).check(long)).toBe(false)
})

it('reports a cycle at the closing edge, below the scanned depth too', () => {
  const bottom: Record<string, unknown> = {}
  bottom['back'] = bottom
  const expected = `value${'.next'.repeat(40)}.back`
  expect(compileSchema({}).violations(nest(40, bottom), { path: 'value' })).toEqual([
    `"${expected}" is circular`,
  ])
  const typed = defineParameters({ self: { type: 'object', additionalProperties: true } })
  const value: Record<string, unknown> = {}
  value['self'] = value
  expect(typed.violations(value)).toEqual(['"self" is circular'])
})

it('keeps the verdict of a value that came from text', () => {
  const validator = defineValue({ type: 'array', items: { type: 'string' } })
  expect(validator.check(['a'], { parsed: true })).toBe(true)
  expect(validator.check(['a', 1], { parsed: true })).toBe(false)
  expect(validator.check(['\ud800'], { parsed: true })).toBe(false)
})
