import { HarnessError } from '@agent-spine/schema'
import { expect, it } from 'vitest'
import { ToolArgsError, ToolOutputError } from './index.js'

it('names every violation in the message', () => {
  expect(new ToolArgsError('a', ['x', 'y'])).toMatchObject({
    name: 'ToolArgsError',
    code: 'INVALID_ARGS',
    toolName: 'a',
    violations: ['x', 'y'],
    message: 'invalid arguments: x; y',
  })
  const cause = new Error('cycle')
  expect(new ToolOutputError('a', ['x', 'y'], { cause })).toMatchObject({
    name: 'ToolOutputError',
    code: 'INVALID_TOOL_OUTPUT',
    toolName: 'a',
    violations: ['x', 'y'],
    message: 'the tool ran, but its output is not what it promises: x; y',
    cause,
  })
})

it('cuts a message that a hostile value makes long, and shows that it did', () => {
  const prefix = 'invalid arguments: '
  const fits = 'x'.repeat(2000 - prefix.length)
  expect(new ToolArgsError('a', [fits]).message).toBe(`${prefix}${fits}`)
  expect(new ToolArgsError('a', [`${fits}x`]).message).toBe(`${prefix}${fits} …`)
})

it('tells its errors from each other, from other errors, and from what only has the name', () => {
  const argsError = new ToolArgsError('a', [])
  const outputError = new ToolOutputError('a', [])
  const other = new HarnessError('OTHER', 'other')
  for (const [value, isArgsError, isOutputError] of [
    [argsError, true, false],
    [outputError, false, true],
    [other, false, false],
    [Object.assign(new Error('x'), { name: 'ToolArgsError' }), false, false],
    [Object.assign(new Error('x'), { name: 'ToolOutputError' }), false, false],
    [null, false, false],
  ] as const) {
    expect(ToolArgsError.is(value)).toBe(isArgsError)
    expect(ToolOutputError.is(value)).toBe(isOutputError)
  }
})

it('does not throw on a branded error whose name throws', () => {
  const hostile = Object.defineProperty(new HarnessError('OTHER', 'other'), 'name', {
    get: () => {
      throw new Error('trap')
    },
  })
  expect(ToolArgsError.is(hostile)).toBe(false)
  expect(ToolOutputError.is(hostile)).toBe(false)
})
