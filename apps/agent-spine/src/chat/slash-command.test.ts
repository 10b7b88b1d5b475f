import { expect, it } from 'vitest'
import { readChatInput } from './slash-command.js'

it.each([
  ['read it', { kind: 'say', text: 'read it' }],
  ['/steer use\nthis', { kind: 'steer', text: 'use\nthis' }],
  ['/steer', { kind: 'steer', text: '' }],
  ['/exit', { kind: 'exit' }],
  ['/quit', { kind: 'exit' }],
  ['/withdraw', { kind: 'withdraw' }],
  ['/help', { kind: 'help' }],
  ['/nothing here', { kind: 'unknown', name: 'nothing' }],
  ['/etc/hosts is what?', { kind: 'say', text: '/etc/hosts is what?' }],
  [' /exit', { kind: 'say', text: ' /exit' }],
])('%j', (line, expected) => {
  expect(readChatInput(line)).toEqual(expected)
})
