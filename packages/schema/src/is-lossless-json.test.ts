import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isLosslessJson, snapshotJson } from './index.js'

class Point {
  x = 1
}
const cyclic: Record<string, unknown> = {}
cyclic['self'] = cyclic
const decorated = Object.assign([1], { extra: 1 })
const hidden = Object.defineProperty({}, 'x', { value: 1 })
const { proxy: revoked, revoke } = Proxy.revocable({}, {})
revoke()

const lossy: Record<string, unknown> = {
  NaN: NaN,
  Infinity,
  'minus zero': -0,
  undefined,
  bigint: 1n,
  function: () => 1,
  symbol: Symbol('x'),
  Date: new Date(0),
  Map: new Map(),
  'class instance': new Point(),
  'inherited properties': Object.create({ x: 1 }) as unknown,
  'properties inherited from a bare object': Object.create(
    Object.assign(Object.create(null) as object, { x: 1 }),
  ) as unknown,
  'boxed string': Object('x') as unknown,
  'sparse array': new Array(2),
  'decorated array': decorated,
  'array subclass': new (class List extends Array {})(),
  'symbol key': { [Symbol('x')]: 1 },
  'symbol key of an array': Object.assign([], { [Symbol('x')]: 1 }),
  'non-enumerable property': hidden,
  'present undefined': { x: undefined },
  cycle: cyclic,
  'revoked Proxy': revoked,
  'throwing getter': {
    get x() {
      throw new Error('no')
    },
  },
  'throwing ownKeys': new Proxy(
    {},
    {
      ownKeys() {
        throw new Error('no')
      },
    },
  ),
}

it.each(Object.entries(lossy))('refuses %s, alone and nested', (_, value) => {
  expect(isLosslessJson(value)).toBe(false)
  expect(isLosslessJson({ a: [value] })).toBe(false)
  expect(() => snapshotJson({ a: [value] })).toThrow(/expected lossless JSON, found .+ at "value\.a\[0\]/)
})

const shared = { x: 1 }
const lossless: Record<string, unknown> = {
  'null prototype': Object.assign(Object.create(null), { x: 1 }) as unknown,
  'another realm': runInNewContext('({ a: [1, { b: 2 }] })') as unknown,
  'shared object': [shared, shared],
  'own __proto__': JSON.parse('{"__proto__": {"x": 1}}') as unknown,
  'lone surrogate': ['\ud800', { '\udc00': 1 }],
  'plain Proxy': new Proxy({ a: 1 }, {}),
}

it.each(Object.entries(lossless))('accepts %s', (_, value) => {
  expect(isLosslessJson(value)).toBe(true)
  expect(JSON.stringify(snapshotJson(value))).toBe(JSON.stringify(value))
})

it('accepts exactly what a round trip through JSON text keeps', () => {
  fc.assert(
    fc.property(
      fc.anything({ withNullPrototype: true, withSparseArray: true, withDate: true, withBigInt: true }),
      value => {
        if (!isLosslessJson(value)) {
          expect(() => snapshotJson(value)).toThrow()
          return
        }
        expect(snapshotJson(value)).toEqual(value)
        expect(JSON.parse(JSON.stringify(value))).toEqual(snapshotJson(value))
      },
    ),
    { numRuns: 2000 },
  )
})

it('walks a tower of shared objects once, with and without a cycle on top', () => {
  let tower: Record<string, unknown> = {}
  for (let level = 0; level < 60; level++) tower = { left: tower, right: tower }
  expect(isLosslessJson(tower)).toBe(true)
  expect(snapshotJson(tower)).toHaveProperty('left.left.right')
})

it('bounds an endless generated tree', () => {
  const endless = (): unknown => new Proxy({ next: 1 }, { get: () => endless() })
  expect(() => snapshotJson(endless(), { maxNodes: 1000 })).toThrow('at most 1000 values in all')
})
