import { resultMessage, type AssistantBlock, type Message, type ToolResultContent } from '@agent-spine/model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { user } from '../test/collect.js'
import { partsModel } from '../test/mock-model.js'
import { dialectOf, type Dialect } from './dialect.js'
import { toPrompt } from './prompt.js'

const plain: Dialect = { version: 'v3', imagesInResults: false, anySchema: false, callIds: 'common' }
const rich: Dialect = { ...plain, imagesInResults: true }
const config = { provider: 'acme', model: 'one' }

const prompt = (messages: readonly Message[], dialect = plain) => toPrompt({ messages, config }, dialect)

const assistant = (content: readonly AssistantBlock[], model = 'one'): Message => ({
  id: 'assistant',
  role: 'assistant',
  source: { kind: 'model', provider: 'acme', model },
  content,
})

const call = (id: string, text = '{}', name = 'read'): AssistantBlock => ({
  type: 'tool-call',
  id,
  name,
  arguments: text,
})

const says = (text: string) => [{ type: 'text', text }] as const
const png = { type: 'image', mediaType: 'image/png', data: { kind: 'base64', base64: 'AAAA' } } as const
const address = 'https://example.com/a.png'
const linked = { type: 'image', mediaType: 'image/png', data: { kind: 'url', url: address } } as const

describe('P2: results', () => {
  it('of one batch are one message, and what comes after is another', () => {
    const messages = [
      assistant([call('a'), call('b')]),
      resultMessage('a', { content: says('one') }),
      resultMessage('b', { content: says('two'), isError: true }),
      user('next'),
    ]
    expect(prompt(messages).slice(1)).toEqual([
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'a', toolName: 'read', output: { type: 'text', value: 'one' } },
          {
            type: 'tool-result',
            toolCallId: 'b',
            toolName: 'read',
            output: { type: 'error-text', value: 'two' },
          },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: 'next' }] },
    ])
  })

  it('without a call are refused', () => {
    expect(() => prompt([user('hi'), resultMessage('a', { content: says('one') })])).toThrow(
      'expected a call before its result',
    )
  })

  const pictured = (content: readonly ToolResultContent[], dialect: Dialect, isError?: true) =>
    prompt(
      [
        assistant([call('a'), call('b')]),
        resultMessage('a', { content, ...(isError && { isError }) }),
        resultMessage('b', { content: says('two') }),
      ],
      dialect,
    ).slice(1)

  it.each([
    [
      'v2',
      { type: 'media', data: 'AAAA', mediaType: 'image/png' },
      { type: 'text', text: `[an image (image/png) at ${address}]` },
    ],
    ['v3', { type: 'image-data', data: 'AAAA', mediaType: 'image/png' }, { type: 'image-url', url: address }],
    [
      'v4',
      { type: 'file', data: { type: 'data', data: 'AAAA' }, mediaType: 'image/png' },
      { type: 'file', data: { type: 'url', url: new URL(address) }, mediaType: 'image/png' },
    ],
  ] as const)('hold images where the provider reads them there, version %s', (version, inline, byAddress) => {
    expect(pictured([...says('look'), png, linked], { ...rich, version })).toMatchObject([
      {
        content: [
          { output: { type: 'content', value: [{ type: 'text', text: 'look' }, inline, byAddress] } },
          { output: { type: 'text' } },
        ],
      },
    ])
  })

  it.each([
    ['elsewhere', plain, undefined, 'text'],
    ['of an error', rich, true, 'error-text'],
  ] as const)('have their images after the whole batch %s', (...[, dialect, isError, type]) => {
    expect(pictured([...says('look'), png], dialect, isError)).toEqual([
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'a',
            toolName: 'read',
            output: { type, value: 'look\n[image 1 follows, after the results]' },
          },
          { type: 'tool-result', toolCallId: 'b', toolName: 'read', output: { type: 'text', value: 'two' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: '[image 1 of the result of read, call a]' },
          { type: 'file', mediaType: 'image/png', data: 'AAAA' },
        ],
      },
    ])
  })
})

describe('P3: calls', () => {
  it('are sent as an object under a name and an id that are accepted, their results too', () => {
    const long = 'i'.repeat(64)
    const messages = [
      assistant([call(long, 'not json', 'no tool!')]),
      resultMessage(long, { content: says('none') }),
    ]
    const wire = { toolCallId: 'i'.repeat(40), toolName: 'no_tool_' }
    expect(prompt(messages)).toMatchObject([
      { content: [{ type: 'tool-call', ...wire, input: {} }] },
      { content: [{ type: 'tool-result', ...wire }] },
    ])
  })
})

it('P3: Mistral gets ids of its own form', () => {
  const messages = [assistant([call('call_1')]), resultMessage('call_1', { content: says('one') })]
  const [asked, answered] = prompt(messages, dialectOf({ ...partsModel([]), provider: 'mistral.chat' }))
  expect(asked?.content).toMatchObject([{ toolCallId: '000000000' }])
  expect(answered?.content).toMatchObject([{ toolCallId: '000000000' }])
})

describe('P4: replay state and reasoning', () => {
  const replay = { acme: { signature: 'abc' } }
  const content: AssistantBlock[] = [
    { type: 'reasoning', text: 'hm', replay },
    { type: 'reasoning', text: 'unsigned' },
    { type: 'text', text: 'hi', replay },
    { ...(call('a') as Extract<AssistantBlock, { type: 'tool-call' }>), replay },
  ]

  it('go back to the model that made them', () => {
    expect(prompt([assistant(content)])).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'hm', providerOptions: replay },
          { type: 'reasoning', text: 'unsigned' },
          { type: 'text', text: 'hi', providerOptions: replay },
          { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: {}, providerOptions: replay },
        ],
      },
    ])
  })

  it('do not go to another model, not even of the same provider', () => {
    expect(prompt([assistant(content, 'two')])).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'hi' },
          { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: {} },
        ],
      },
    ])
  })

  it.each(['text', 5, ['a'], { acme: 'text' }, null])('of another adapter are not sent: %j', foreign => {
    expect(prompt([assistant([{ type: 'text', text: 'hi', replay: foreign }])])).toEqual([
      { role: 'assistant', content: [{ type: 'text', text: 'hi' }] },
    ])
  })
})

describe('P5: messages', () => {
  it('that would be empty are left out, and text that is only white space', () => {
    const messages = [
      assistant([{ type: 'reasoning', text: 'hm' }], 'two'),
      assistant([{ type: 'text', text: ' \n' }, call('a')]),
      { ...user('hi'), content: [...says(' '), ...says('hi')] } as Message,
    ]
    expect(prompt(messages).map(({ content }) => content)).toMatchObject([
      [{ type: 'tool-call' }],
      [{ type: 'text', text: 'hi' }],
    ])
  })

  it('of the user keep their images', () => {
    const message = { ...user('hi'), content: [png, linked] } as Message
    const file = { type: 'file', mediaType: 'image/png' }
    expect(prompt([message])).toEqual([
      {
        role: 'user',
        content: [
          { ...file, data: 'AAAA' },
          { ...file, data: new URL(address) },
        ],
      },
    ])
    expect(prompt([message], { ...plain, version: 'v4' })).toMatchObject([
      { content: [{ data: { type: 'data', data: 'AAAA' } }, { data: { type: 'url' } }] },
    ])
  })

  it('with an address that is none are refused', () => {
    const broken = { ...linked, data: { kind: 'url', url: 'not an address' } } as const
    expect(() => prompt([{ ...user('hi'), content: [broken] }])).toThrow('to be a URL')
  })

  it('begin with the system prompt', () => {
    expect(toPrompt({ messages: [user('hi')], system: 'Be brief.', config }, plain)).toMatchObject([
      { role: 'system', content: 'Be brief.' },
      { role: 'user' },
    ])
  })
})

describe('P1: a longer conversation', () => {
  const content = fc.array(fc.constantFrom<ToolResultContent>(...says('text'), png), {
    minLength: 1,
    maxLength: 3,
  })
  const step = fc.record({
    calls: fc.array(fc.constantFrom('', '{"a":1}', 'not json'), { maxLength: 3 }),
    text: fc.constantFrom('', ' ', 'words'),
    results: fc.infiniteStream(content),
    after: fc.constantFrom('none', 'user'),
    model: fc.constantFrom('one', 'two'),
  })

  it('begins with the same prompt, at every end of a batch', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), fc.boolean(), (steps, imagesInResults) => {
        const dialect = { ...plain, imagesInResults }
        const messages: Message[] = [user('begin')]
        let before = prompt(messages, dialect)
        for (const [index, { calls, text, results, after, model }] of steps.entries()) {
          const blocks = calls.map((raw, position) => call(`${'c'.repeat(45)}${index}_${position}`, raw))
          messages.push(assistant([{ type: 'text', text }, ...blocks], model))
          for (const block of blocks) {
            if (block.type !== 'tool-call') continue
            messages.push(resultMessage(block.id, { content: results.next().value as ToolResultContent[] }))
          }
          if (after === 'user') messages.push(user('more'))
          const next = prompt(messages, dialect)
          expect(JSON.stringify(next.slice(0, before.length))).toBe(JSON.stringify(before))
          before = next
        }
      }),
      { numRuns: 60 },
    )
  })
})
