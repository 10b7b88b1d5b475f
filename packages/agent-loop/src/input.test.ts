import type { UserBlock } from '@agent-spine/model'
import { expect, it } from 'vitest'
import { inputBlocks, userMessage } from './input.js'

const image: UserBlock = { type: 'image', mediaType: 'image/png', data: { kind: 'base64', base64: 'AA==' } }
const result: UserBlock = { type: 'tool-result', toolCallId: 'a', content: [] }
const says = (text: string): UserBlock => ({ type: 'text', text })

function refusalOf(input: unknown): unknown {
  try {
    return inputBlocks(input as string)
  } catch (error) {
    const { code, message } = error as Error & { readonly code: string }
    return [code, message]
  }
}

it('makes a message of a text, as it was written', () => {
  expect(userMessage('i', { kind: 'user' }, ' hi ')).toEqual({
    id: 'i',
    role: 'user',
    source: { kind: 'user' },
    content: [says(' hi ')],
  })
})

it('leaves out blank text, which providers refuse, and keeps the rest in order', () => {
  expect(inputBlocks([says(' \n'), image, says(''), says('x')])).toEqual([image, says('x')])
  expect(inputBlocks([image])).toEqual([image])
})

it.each<[string, unknown]>([
  ['nothing', undefined],
  ['a number', 5],
  ['a block that stands alone', image],
  ['one good block beside a bad one', [says('x'), 5]],
  ['a block that is null', [null]],
  ['a block without a type', [{ text: 'x' }]],
  ['text that is none', [{ type: 'text', text: 5 }]],
  ['text without text', [{ type: 'text' }]],
  ['a block of the model', [{ type: 'reasoning', text: 'hm' }]],
])('refuses %s', (_, input) => {
  expect(refusalOf(input)).toEqual([
    'INVALID_INPUT',
    'expected a string, or an array of text and image blocks, found something else: pass what the model shall read',
  ])
})

it.each<[string, UserBlock[]]>([
  ['alone', [result]],
  ['beside text', [says('x'), result]],
])('refuses an answer to a call %s: only its tool may give it', (_, input) => {
  expect(refusalOf(input)).toEqual([
    'INVALID_INPUT',
    'expected text or images, found a tool result: only a tool call may be answered with one',
  ])
})

it.each<[string, unknown]>([
  ['an empty text', ''],
  ['blank text', ' \n\t'],
  ['blank blocks', [says(' ')]],
  ['no block', []],
])('refuses %s', (_, input) => {
  expect(refusalOf(input)).toEqual([
    'INVALID_INPUT',
    'expected input with visible text or an image, found none: give the model something to read',
  ])
})
