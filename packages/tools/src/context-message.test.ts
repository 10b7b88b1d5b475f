import { HarnessError } from '@agent-spine/schema'
import { expect, it } from 'vitest'
import { readContextMessage } from './context-message.js'

const image = { type: 'image', mediaType: 'image/png', data: { kind: 'base64', base64: 'AAAA' } }

function refusalOf(message: unknown): unknown {
  try {
    return readContextMessage(message)
  } catch (error) {
    return error
  }
}

it('keeps text as it is, with half characters replaced', () => {
  expect(readContextMessage(' a ')).toBe(' a ')
  expect(readContextMessage('a\ud83d')).toBe('a\ufffd')
})

it.each<[string, unknown]>([
  ['empty text', ''],
  ['blank text', ' \n\t'],
  ['no blocks', []],
  [
    'blank blocks',
    [
      { type: 'text', text: '' },
      { type: 'text', text: ' \n' },
    ],
  ],
])('answers nothing where there is nothing to read: %s', (_, message) => {
  expect(readContextMessage(message)).toBeUndefined()
})

it('drops blank blocks, keeps the others, and freezes a copy', () => {
  const given = [
    { type: 'text', text: ' ' },
    { type: 'text', text: 'cut \ud83d' },
    image,
    { type: 'text', text: '' },
  ]
  const message = readContextMessage(given)
  given.length = 0
  expect(message).toEqual([{ type: 'text', text: 'cut \ufffd' }, image])
  expect(Object.isFrozen(message)).toBe(true)
  expect(Object.isFrozen(message?.[0])).toBe(true)
})

it('keeps an image that stands alone', () => {
  expect(readContextMessage([image])).toEqual([image])
})

it.each<[string, unknown]>([
  ['a number', 5],
  ['one block without a list', { type: 'text', text: 'a' }],
  ['a list of text', ['a']],
])('refuses what is no context: %s', (_, message) => {
  const error = refusalOf(message)
  expect(HarnessError.is(error)).toBe(true)
  expect(error).toMatchObject({
    code: 'INVALID_CONTEXT',
    message: 'a context must be a string, or a list of text and image blocks',
  })
  expect(error).not.toHaveProperty('cause')
})

it('refuses what JSON cannot carry, and says why', () => {
  expect(refusalOf([{ type: 'text', text: 'a', at: NaN }])).toMatchObject({
    code: 'INVALID_CONTEXT',
    message: 'a context must be a string, or a list of text and image blocks',
    cause: { code: 'NOT_LOSSLESS_JSON' },
  })
})
