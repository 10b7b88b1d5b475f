import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { compileSchema, defineParameters, type JsonSchemaNode } from './index.js'

// A walk stops in the middle, in every way there is; the next one must know nothing of it.

const holder: JsonSchemaNode = { type: 'object', properties: { x: { type: 'integer' } } }
const first = compileSchema({
  type: 'object',
  properties: {
    a: holder,
    b: { type: 'array', items: holder },
    c: { oneOf: [holder, { type: 'object', properties: { y: { type: 'integer' } }, required: ['y'] }] },
    last: { type: 'integer' },
  },
  required: ['last'],
  additionalProperties: false,
})
const second = defineParameters({
  name: { type: 'string', required: true },
  inner: { type: 'object', additionalProperties: true, properties: { z: { type: 'integer' } } },
  list: { type: 'array', items: { type: 'array', items: { type: 'integer' } } },
})

/** A second validator's answers, which no earlier walk may change. */
function probe(): void {
  expect(second.check({ name: 'n', inner: { z: 1 }, list: [[1], []] })).toBe(true)
  expect(second.check({ name: 'n', inner: { z: 'x' } })).toBe(false)
  expect(second.issues({ inner: { z: 'x' }, list: [[1.5]] }).map(({ pointer }) => pointer)).toEqual([
    '/name',
    '/inner/z',
    '/list/0/0',
  ])
  expect(second.issues({ name: 'n' })).toEqual([])
}

const fail = (): never => {
  throw new Error('no')
}

function nest(levels: number, innermost: unknown): unknown {
  let value = innermost
  for (let level = 0; level < levels; level++) value = { x: 1, next: value }
  return value
}

/** Containers that wait to be walked, before whatever ends the walk. */
const waiting = () => ({ a: { x: 1 }, b: [{ x: 1 }, { x: 2 }], c: { x: 1, y: 'no' } })

const interruptions: Record<string, () => unknown> = {
  'a scalar that does not fit, after properties that wait': () => ({ ...waiting(), last: 'x' }),
  'a missing name, after properties that wait': () => ({ ...waiting() }),
  'an undeclared key, after properties that wait': () => ({ ...waiting(), last: 1, more: {} }),
  'a hidden property, after properties that wait': () =>
    Object.defineProperty({ ...waiting(), last: 1 }, 'no', { value: 1 }),
  'a getter that throws, after properties that wait': () =>
    Object.defineProperty({ ...waiting() }, 'last', { get: fail, enumerable: true }),
  'a getter that throws, in a property that waited': () => ({
    ...waiting(),
    a: Object.defineProperty({ deep: { x: {} } }, 'x', { get: fail, enumerable: true }),
    last: 1,
  }),
  'a property that waited and does not fit, with more behind it': () => ({
    ...waiting(),
    a: { x: 'no', y: {}, z: [[]] },
    last: 1,
  }),
  'an item that does not fit, with more behind it': () => ({
    ...waiting(),
    b: [{ x: 'no' }, {}, {}],
    last: 1,
  }),
  'a choice that fits twice': () => ({ ...waiting(), c: { x: 1, y: 2, z: [{}, {}] }, last: 1 }),
  'a flaw below many levels': () => ({ ...waiting(), a: nest(2000, [{ x: NaN }, {}]), last: 1 }),
  'a cycle below many levels': () => {
    const loop: Record<string, unknown> = { list: [] }
    loop['back'] = nest(50, { side: {}, loop })
    return { ...waiting(), a: loop, last: 1 }
  },
  'a Proxy that throws at the end': () => new Proxy({ ...waiting(), last: 1 }, { getPrototypeOf: fail }),
}

it.each(Object.entries(interruptions))('forgets %s', (_, make) => {
  const value = make()
  const { length } = first.issues(value)
  expect(length).toBeGreaterThan(0)
  for (let time = 0; time < 3; time++) {
    expect(first.check(value)).toBe(false)
    probe()
    expect(first.issues(value)).toHaveLength(length)
    probe()
    expect(first.check(value, { maxNodes: 4 })).toBe(false)
    probe()
    expect(first.violations(value, { maxNodes: 4 }).length).toBeGreaterThan(0)
    probe()
  }
  expect(first.check({ ...waiting(), c: { x: 1 }, last: 1 })).toBe(true)
})

it.each(Object.entries(interruptions))('keeps a walk whole while a getter meets %s', (_, make) => {
  let met = 0
  const getter = {
    get: () => {
      expect(first.check(make())).toBe(false)
      expect(first.issues(make()).length).toBeGreaterThan(0)
      probe()
      met += 1
      return { x: met > 2 ? 'no' : 1 }
    },
    enumerable: true,
  }
  // Before, among and after properties that wait, and in one that waited.
  const outer = Object.defineProperty({ b: [{ x: 1 }], a: {}, last: 1, c: { x: 1 } }, 'a', getter)
  expect(first.check(outer)).toBe(true)
  expect(first.issues(outer)).toEqual([])
  expect(first.check(outer)).toBe(false)
  expect(first.issues(outer).map(({ pointer }) => pointer)).toEqual(['/a/x'])
  expect(met).toBe(4)
})

it('keeps a walk whole while a getter checks and then throws', () => {
  const value = Object.defineProperty({ ...waiting(), c: { x: 1 }, last: 1 }, 'a', {
    get: () => {
      probe()
      first.check({ ...waiting(), last: 'x' })
      return fail()
    },
    enumerable: true,
  })
  expect(first.issues(value).map(({ pointer }) => pointer)).toEqual(['/a'])
  expect(first.check(value)).toBe(false)
  probe()
})

it('lets an inner walk that runs out of nodes leave the outer one its own', () => {
  const value = {
    name: 'n',
    get inner() {
      expect(second.violations({ name: 'n', list: [[1, 2, 3]] }, { maxNodes: 2 })).toEqual([
        '"arguments" must hold at most 2 values in all',
      ])
      return { z: 1 }
    },
    list: [[1]],
  }
  expect(second.check(value, { maxNodes: 20 })).toBe(true)
  expect(second.issues(value)).toEqual([])
})

it('knows nothing of the ancestors of a flaw that has been mended', () => {
  const bottom = { n: NaN }
  const value = { a: nest(100, bottom), last: 1 }
  const any = compileSchema({})
  expect(any.check(value)).toBe(false)
  expect(any.issues(value)).toHaveLength(1)
  expect(any.check(value, { maxNodes: 150 })).toBe(false)
  bottom.n = 1
  expect(any.check(value)).toBe(true)
  expect(any.issues(value)).toEqual([])
})

it.each(Object.entries(interruptions))('lets go of the value after %s', async (_, make) => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const reference = (() => {
    const value = make() as { a: object }
    first.issues(value)
    first.check(value, { maxNodes: 4 })
    first.check(value)
    return new WeakRef(value.a)
  })()
  // A reference holds its target until the end of the job it was made in.
  await new Promise(done => setImmediate(done))
  collectGarbage()
  expect(reference.deref()).toBeUndefined()
})
