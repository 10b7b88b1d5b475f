import { type JsonValue } from '@agent-spine/schema'
import { describe, expect, it } from 'vitest'
import { readContentBlock } from './read-content.js'

const image = (mediaType: string, base64: string) => ({
  type: 'image',
  mediaType,
  data: { kind: 'base64', base64 },
})

describe('a content block', () => {
  it.each<[string, JsonValue, readonly unknown[]]>([
    ['text', { type: 'text', text: 'hello' }, ['hello']],
    ['an image', { type: 'image', mimeType: 'image/png', data: 'AAAA' }, [image('image/png', 'AAAA')]],
    [
      'audio',
      { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' },
      ['[audio (audio/wav, 3 bytes) was returned, which cannot be shown here]'],
    ],
    [
      'a link',
      {
        type: 'resource_link',
        uri: 'file:///a.txt',
        name: 'a',
        title: 'A',
        mimeType: 'text/plain',
        size: 7,
        description: 'The first.',
      },
      ['[link to a resource: file:///a.txt, "A" (text/plain, 7 bytes): The first.]'],
    ],
    ['a bare link', { type: 'resource_link', uri: 'x:y' }, ['[link to a resource: x:y]']],
    [
      'an embedded text',
      { type: 'resource', resource: { uri: 'file:///a.txt', mimeType: 'text/plain', text: 'hello' } },
      ['[embedded resource: file:///a.txt (text/plain)]\nhello'],
    ],
    [
      'an embedded image',
      { type: 'resource', resource: { uri: 'x:y', mimeType: 'image/png', blob: 'AAAA' } },
      ['[embedded resource: x:y (image/png)]', image('image/png', 'AAAA')],
    ],
    [
      'an embedded binary',
      { type: 'resource', resource: { uri: 'x:y', mimeType: 'application/gzip', blob: 'AAA=' } },
      ['[embedded resource: x:y (application/gzip), 2 bytes; it is binary, which cannot be shown here]'],
    ],
    [
      'a type from the future',
      { type: 'video', data: 'AAAA' },
      ['[content of the unknown type "video" was left out]'],
    ],
    ['no block', null, ['[a content block that is null was left out]']],
    ['no block either', [1], ['[a content block that is an array was left out]']],
    ['an image without data', { type: 'image' }, ['[an image without data was left out]']],
    ['text without text', { type: 'text' }, ['[a text block without text was left out]']],
    [
      'a resource without content',
      { type: 'resource' },
      ['[an embedded resource without content was left out]'],
    ],
    [
      'a resource that is empty',
      { type: 'resource', resource: { uri: 'x:y' } },
      ['[embedded resource: x:y; it has no content]'],
    ],
  ])('of %s is carried or described, never dropped', (_, block, expected) => {
    const read = readContentBlock(block)
    expect(read.map(item => (item.type === 'text' ? item.text : item))).toEqual(expected)
  })
})
