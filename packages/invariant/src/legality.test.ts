import type { AssistantBlock, AssistantMessage, Message, UserMessage } from '@agent-spine/model'
import { describe, expect, it } from 'vitest'
import { legalityProblems, type LegalityProfile } from './legality.js'
import { callBlock, resultMessage as result } from './sample-log.js'

const profiles: readonly LegalityProfile[] = ['openai', 'anthropic', 'gemini', 'strict']

const user = (text = 'hello'): UserMessage => ({
  id: 'user',
  role: 'user',
  source: { kind: 'user' },
  content: [{ type: 'text', text }],
})

const assistant = (...content: AssistantBlock[]): AssistantMessage => ({
  id: 'assistant',
  role: 'assistant',
  source: { kind: 'model', provider: 'acme', model: 'one' },
  content,
})

const calls = (...ids: string[]): AssistantMessage => assistant(...ids.map(callBlock))
const says = (text: string): AssistantMessage => assistant({ type: 'text', text })

/** Which profiles find what, where. */
function found(...messages: Message[]): Partial<Record<LegalityProfile, string[]>> {
  return Object.fromEntries(
    profiles.map(profile => [
      profile,
      legalityProblems(messages, profile).map(({ code, seq }) => `${code} ${seq}`),
    ]),
  )
}

const all = (...codes: string[]) => ({ openai: codes, anthropic: codes, gemini: codes, strict: codes })

describe('every provider', () => {
  it.each<[string, Message[]]>([
    ['an empty conversation', []],
    ['a question', [user()]],
    [
      'parallel calls with their results',
      [user(), calls('a', 'b'), result('a'), result('b'), says('done'), user()],
    ],
    ['calls right after results', [user(), calls('a'), result('a'), calls('b'), result('b')]],
    [
      'reasoning with replay state beside text',
      [user(), assistant({ type: 'reasoning', text: 'hm', replay: 1 }, { type: 'text', text: 'yes' })],
    ],
    [
      'an image',
      [user(), assistant({ type: 'image', mediaType: 'image/png', data: { kind: 'url', url: 'x' } })],
    ],
    [
      'arguments that are no JSON',
      [user(), assistant({ ...callBlock('a'), arguments: 'not json' }), result('a')],
    ],
  ])('takes %s', (_name, messages) => {
    expect(found(...messages)).toEqual(all())
  })

  it.each<[string, Message[], string[]]>([
    ['a call without result at the end', [user(), calls('a')], ['CALL_UNANSWERED 1']],
    [
      'a call without result before an answer',
      [user(), calls('a', 'b'), result('a'), says('done')],
      ['CALL_UNANSWERED 3'],
    ],
    [
      'user text inside a batch',
      [user(), calls('a', 'b'), result('a'), user(), result('b')],
      ['CALL_UNANSWERED 3', 'RESULT_UNEXPECTED 4'],
    ],
    ['a result twice', [user(), calls('a'), result('a'), result('a')], ['RESULT_UNEXPECTED 3']],
    ['a result of nothing', [user(), result('a')], ['RESULT_UNEXPECTED 1']],
    [
      'a result before its call',
      [user(), result('a'), calls('a')],
      ['RESULT_UNEXPECTED 1', 'CALL_UNANSWERED 2'],
    ],
    ['results out of order', [user(), calls('a', 'b'), result('b'), result('a')], ['RESULT_ORDER 2']],
    [
      'text beside a result',
      [
        user(),
        calls('a'),
        { ...result('a'), content: [...result('a').content, { type: 'text', text: 'by the way' }] },
      ],
      ['BATCH_SPLIT 2'],
    ],
    [
      'a call id twice in the conversation',
      [user(), calls('a'), result('a'), calls('a'), result('a')],
      ['CALL_ID 3'],
    ],
    ['an empty call id', [user(), calls(''), result('')], ['CALL_ID 1']],
    ['a call id with characters of its own', [user(), calls('a.b'), result('a.b')], ['CALL_ID 1']],
    ['a call id that is too long', [user(), calls('a'.repeat(65)), result('a'.repeat(65))], ['CALL_ID 1']],
    ['an assistant message without content', [user(), assistant()], ['EMPTY_MESSAGE 1']],
    [
      'an assistant message of unsigned reasoning',
      [user(), assistant({ type: 'reasoning', text: 'hm' })],
      ['EMPTY_MESSAGE 1'],
    ],
  ])('refuses %s', (_name, messages, expected) => {
    expect(found(...messages)).toEqual(all(...expected))
  })
})

describe('some providers', () => {
  it('refuse an answer that is only white space; one that checks each text says so too', () => {
    const both = ['EMPTY_MESSAGE 1', 'EMPTY_TEXT 1']
    expect(found(user(), says(' \n'))).toEqual({
      openai: ['EMPTY_MESSAGE 1'],
      gemini: ['EMPTY_MESSAGE 1'],
      anthropic: both,
      strict: both,
    })
  })

  it('refuse a text block without visible text', () => {
    const expected = { openai: [], gemini: [], anthropic: ['EMPTY_TEXT 0'], strict: ['EMPTY_TEXT 0'] }
    expect(found(user(' '))).toEqual(expected)
  })

  it('refuse a conversation that the assistant begins', () => {
    const refused = ['FIRST_MESSAGE 0']
    expect(found(says('hello'))).toEqual({ openai: [], anthropic: refused, gemini: refused, strict: refused })
  })

  it('refuse calls right after another answer', () => {
    const refused = ['CALL_PLACE 2']
    expect(found(user(), says('well'), calls('a'), result('a'))).toEqual({
      openai: [],
      anthropic: [],
      gemini: refused,
      strict: refused,
    })
  })
})

describe('findings', () => {
  it('come in message order and say what is wrong', () => {
    const findings = legalityProblems([says('hi'), assistant(), calls('x y')], 'strict')
    expect(findings.map(({ seq }) => seq)).toEqual([0, 1, 2, 2, 2])
    expect(findings[1]?.message).toContain('assistant')
  })

  it('name the seqs of the log where they are given', () => {
    expect(legalityProblems([user(), calls('a')], 'openai', [4, 17])).toMatchObject([{ seq: 17 }])
  })
})
