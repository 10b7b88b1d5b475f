import { expect, it } from 'vitest'
import { parseArguments, readArguments } from './tool-call.js'

it('reads empty text as no arguments', () => {
  expect(readArguments('')).toEqual({ value: {}, problems: [] })
  expect(parseArguments('')).toEqual({})
})

it('reads JSON, frozen', () => {
  const { value, problems } = readArguments('{"a":[1]}')
  expect(value).toEqual({ a: [1] })
  expect(Object.isFrozen(value)).toBe(true)
  expect(problems).toEqual([])
  expect(parseArguments('{"a":[1]}')).toEqual({ a: [1] })
  expect(parseArguments('null')).toBeNull()
})

it('says what is wrong with text that is no JSON, and repairs nothing', () => {
  const read = readArguments('{"a":')
  expect(read).not.toHaveProperty('value')
  expect(read.problems).toEqual([
    expect.stringMatching(/^"arguments" must be an object \(not valid JSON: expected .+\)$/),
  ])
  expect(parseArguments('{"a":')).toBe('{"a":')
})

it('names each integer that would be rounded, and where it is', () => {
  const rounded = (where: string, digits: string): string =>
    `"${where}" would be rounded: ${digits} is beyond the integers that a JSON number keeps exactly`
  expect(readArguments('{"a":{"ids":[1,9007199254740993]},"b":9007199254740995}').problems).toEqual([
    rounded('a.ids.1', '9007199254740993'),
    rounded('b', '9007199254740995'),
  ])
  expect(readArguments('9007199254740993').problems).toEqual([rounded('arguments', '9007199254740993')])
  const long = readArguments(`{"${'k'.repeat(150)}":${'9'.repeat(60)}}`)
  expect(long.problems).toEqual([rounded('k'.repeat(100), '9'.repeat(40))])
})
