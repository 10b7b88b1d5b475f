import { expect, it } from 'vitest'
import { wireArguments, wireName } from './wire.js'

const wire = (text: string): unknown =>
  wireArguments({ type: 'tool-call', id: 'a', name: 'read', arguments: text })

it('is the parsed object', () => {
  expect(wire('{"path":"a","deep":[{"b":null}]}')).toEqual({ path: 'a', deep: [{ b: null }] })
})

it.each(['', ' ', 'null', '"5"', '5', '[]', '{"a":', 'path: a', '{"a":1e999}'])(
  'is {} for text that is not a JSON object: %j',
  text => {
    expect(wire(text)).toEqual({})
  },
)

it('is {} for an object nested so deep that it could not be sent', () => {
  const nested = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)
  expect(wire(nested(999))).not.toEqual({})
  expect(wire(nested(1001))).toEqual({})
  expect(wire(nested(100_000))).toEqual({})
})

it('keeps a property named __proto__ as data', () => {
  expect(Object.keys(wire('{"__proto__":1}') as object)).toEqual(['__proto__'])
})

it.each([
  ['read_file', 'read_file'],
  ['', 'unnamed_tool'],
  ['functions.read file', 'functions_read_file'],
  ['läs_😀', 'l_s__'],
  ['n'.repeat(100), 'n'.repeat(64)],
])('sends the tool name %j as %j, which every provider accepts', (name, wired) => {
  expect(wireName({ type: 'tool-call', id: 'a', name, arguments: '{}' })).toBe(wired)
  expect(wired).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
})
