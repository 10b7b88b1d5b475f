import { expect, it } from 'vitest'
import { HarnessError, snapshotJson } from './index.js'

it('detaches and freezes at every level', () => {
  const source = { a: [{ b: 1 }] }
  const copy = snapshotJson(source) as typeof source
  source.a.push({ b: 2 })
  expect(copy).toEqual({ a: [{ b: 1 }] })
  expect([copy, copy.a, copy.a[0]].every(Object.isFrozen)).toBe(true)
})

it('reads every property once, so that what was checked is what is returned', () => {
  let reads = 0
  const shifty = {
    get x() {
      reads += 1
      return reads === 1 ? 'fine' : NaN
    },
  }
  expect(snapshotJson({ shifty })).toEqual({ shifty: { x: 'fine' } })
  expect(reads).toBe(1)
})

it('returns a snapshot as it is, alone and inside a new value', () => {
  const once = snapshotJson({ a: [1] })
  expect(snapshotJson(once)).toBe(once)
  expect((snapshotJson([once]) as unknown[])[0]).toBe(once)
})

it('keeps __proto__ an ordinary property', () => {
  const copy = snapshotJson(JSON.parse('{"__proto__":{"admin":true}}'))
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
  expect(JSON.stringify(copy)).toBe('{"__proto__":{"admin":true}}')
})

it('names the code, the path and what was found', () => {
  try {
    snapshotJson({ list: [{ 'odd key': NaN }] })
    expect.unreachable()
  } catch (error) {
    expect(HarnessError.is(error) && error.code).toBe('NOT_LOSSLESS_JSON')
    expect((error as Error).message).toContain('found number NaN at "value.list[0]["odd key"]"')
  }
})

it('reports a cycle at the edge that closes it', () => {
  const root = { a: { b: {} as Record<string, unknown> } }
  root.a.b['back'] = root.a
  expect(() => snapshotJson(root)).toThrow('found a circular reference at "value.a.b.back"')
})

it('never lets an error of a hostile value through', () => {
  const hostile = {
    get x() {
      throw new HarnessError('OTHER', 'other')
    },
  }
  expect(() => snapshotJson(hostile)).toThrow(expect.objectContaining({ code: 'NOT_LOSSLESS_JSON' }))
})
