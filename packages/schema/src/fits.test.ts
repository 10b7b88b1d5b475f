import { expect, it } from 'vitest'
import { compileSchema, type JsonSchemaNode } from './index.js'

function nest(depth: number, innermost: unknown): unknown {
  let value = innermost
  for (let level = 0; level < depth; level++) value = { next: value }
  return value
}

/** How long `work` takes, against a second that no linear walk of these values needs. */
function isQuick(work: () => unknown): boolean {
  const startedAt = performance.now()
  work()
  return performance.now() - startedAt < 1000
}

it('gives the verdict of the careful walk on either side of the bound on levels (invariant 2)', () => {
  const any = compileSchema({})
  let schema: JsonSchemaNode = { type: 'integer' }
  for (let depth = 1; depth <= 200; depth++) {
    schema = { type: 'object', properties: { next: schema }, required: ['next'] }
    const typed = compileSchema(schema)
    for (const parsed of [true, false]) {
      expect(any.check(nest(depth, 1), { parsed })).toBe(true)
      expect(any.check(nest(depth, NaN), { parsed })).toBe(false)
      expect(typed.check(nest(depth, 1), { parsed })).toBe(true)
      expect(typed.check(nest(depth, 'x'), { parsed })).toBe(false)
    }
  }
})

it('gives the verdict of the careful walk on a branch that is deeper than the bound (invariant 2)', () => {
  const deep: JsonSchemaNode = { type: 'object', properties: { next: {} }, required: ['next'] }
  const other: JsonSchemaNode = { type: 'object', properties: { other: {} }, required: ['other'] }
  const choice = compileSchema({ oneOf: [deep, other] })
  expect(choice.check(nest(500, 1))).toBe(true)
  expect(choice.check(nest(500, NaN))).toBe(false)
  expect(choice.check({ next: nest(500, 1), other: 1 })).toBe(false)
})

it('does not count a branch that fails below the bound as one that accepts (invariant 2)', () => {
  let typed: JsonSchemaNode = { type: 'integer' }
  for (let level = 0; level < 100; level++) typed = { type: 'object', properties: { next: typed } }
  const choice = compileSchema({ oneOf: [typed, { type: 'object' }] })
  expect(choice.check(nest(100, 'x'))).toBe(true)
  expect(choice.check(nest(100, 1))).toBe(false)
})

it('finds a cycle of any length, and takes shared objects for none (invariant 3)', () => {
  const any = compileSchema({})
  for (const length of [0, 1, 62, 63, 64, 65, 200, 3000]) {
    const bottom: Record<string, unknown> = {}
    const ring = nest(length, bottom)
    bottom['back'] = ring
    expect(any.check(ring)).toBe(false)
    expect(any.check([1, ring])).toBe(false)
    expect(any.violations(ring)).toHaveLength(1)
  }
  const shared = [nest(100, 1)]
  expect(any.check(Array.from({ length: 5000 }, () => shared))).toBe(true)
})

it('walks a tower of shared objects in no time (invariant 3)', () => {
  const any = compileSchema({})
  let tower: unknown = 1
  for (let level = 0; level < 25; level++) tower = [tower, tower]
  expect(isQuick(() => any.check(tower))).toBe(true)
  expect(any.check(tower)).toBe(true)
  expect(any.check([tower, NaN])).toBe(false)
  expect(any.issues(tower)).toEqual([])
})

it('tries shared choices on a scalar in no time', () => {
  let schema: JsonSchemaNode = { type: 'integer' }
  for (let level = 0; level < 40; level++) schema = { oneOf: [schema, { oneOf: [schema, { type: 'null' }] }] }
  const validator = compileSchema(schema)
  expect(isQuick(() => validator.check(1))).toBe(true)
  expect(isQuick(() => validator.issues([1]))).toBe(true)
  expect(validator.check(1)).toBe(validator.issues(1).length === 0)
  expect(validator.issues(1)).toHaveLength(1)
})

it('reports a scalar wherever it stands, however many branches were tried before', () => {
  const choice: JsonSchemaNode = { oneOf: [{ type: 'integer' }, { type: 'number' }] }
  const validator = compileSchema({ type: 'array', items: choice })
  const value = Array.from({ length: 3000 }, () => 1)
  expect(validator.issues(value)).toHaveLength(3000)
  expect(validator.check(value)).toBe(false)
})

it('counts values against the bound, deep down too', () => {
  const any = compileSchema({})
  const value = nest(5000, 1)
  expect(any.check(value, { maxNodes: 10_001 })).toBe(true)
  expect(any.issues(value, { maxNodes: 10_001 })).toEqual([])
  expect(any.check(value, { maxNodes: 9999 })).toBe(false)
  expect(any.issues(value, { maxNodes: 9999 })).toHaveLength(1)
  // What was looked at quickly deep down counts for what comes after it.
  const followed = [value, Array.from({ length: 100 }, () => 1)]
  expect(any.issues(followed, { maxNodes: 10_050 })).toHaveLength(1)
  expect(any.issues(followed, { maxNodes: 10_200 })).toEqual([])
})

it('answers a check that a getter makes inside another one (invariant 5)', () => {
  const validator = compileSchema({ type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] })
  const inner: boolean[] = []
  const value = {
    get a() {
      inner.push(validator.check({ a: 1 }), validator.check({ a: 'x' }), validator.check(nest(100, 1)))
      return 1
    },
  }
  expect(validator.check(value)).toBe(true)
  expect(inner).toEqual([true, false, false])

  const odd = {
    get a() {
      return validator.check({ a: 1 }, { parsed: true, maxNodes: 100 }) ? 1 : 'refused'
    },
    [Symbol('lost in JSON text')]: 1,
  }
  expect(validator.check(odd)).toBe(false)
})
