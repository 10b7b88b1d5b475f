import { expect, it } from 'vitest'
import { compileSchema, defineParameters } from './index.js'

// Ten calls as models get them wrong. The text is all a model has to get the next one right.

const editFile = defineParameters(
  {
    path: { type: 'string', required: true },
    edits: {
      type: 'array',
      required: true,
      items: {
        type: 'object',
        additionalProperties: false,
        properties: {
          oldText: { type: 'string', required: true },
          newText: { type: 'string', required: true },
          replaceAll: { type: 'boolean' },
        },
      },
    },
    dryRun: { type: 'boolean' },
  },
  { closed: true },
)

const search = defineParameters(
  {
    query: { type: 'string', required: true },
    maxResults: { type: 'integer' },
    minScore: { type: 'number' },
    sort: { type: 'string', enum: ['relevance', 'newest', 'oldest'] },
    filter: {
      type: 'object',
      additionalProperties: false,
      properties: { language: { type: 'string' }, stars: { type: 'integer' } },
    },
  },
  { closed: true },
)

const act = compileSchema({
  type: 'object',
  properties: {
    action: {
      oneOf: [
        {
          type: 'object',
          properties: {
            kind: { type: 'string', const: 'click' },
            x: { type: 'integer' },
            y: { type: 'integer' },
          },
          required: ['kind', 'x', 'y'],
          additionalProperties: false,
        },
        {
          type: 'object',
          properties: { kind: { type: 'string', const: 'type' }, text: { type: 'string' } },
          required: ['kind', 'text'],
          additionalProperties: false,
        },
        {
          type: 'object',
          properties: { kind: { type: 'string', const: 'wait' }, seconds: { type: 'number' } },
          required: ['kind'],
          additionalProperties: false,
        },
      ],
    },
    target: { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
  },
  required: ['action'],
  additionalProperties: false,
})

/** What the model is told. */
function told(validator: { parse(text: string): { ok: boolean; text?: string } }, text: string) {
  const outcome = validator.parse(text)
  expect(outcome.ok).toBe(false)
  return outcome.text
}

it('everything in quotes', () => {
  expect(
    told(search, '{"query":"lint","maxResults":"10","minScore":"0.5","filter":"{\\"language\\":\\"ts\\"}"}'),
  ).toMatchInlineSnapshot(`
    "The arguments were refused:
    - "maxResults" must be an integer (received string "10"; send the number without quotes)
    - "minScore" must be a number (received string "0.5"; send the number without quotes)
    - "filter" must be an object (received string "{\\"language\\":\\"ts\\"}"; send the object itself, not its JSON text)"
  `)
})

it('JSON inside JSON, and a boolean in quotes', () => {
  expect(
    told(
      editFile,
      '{"path":"a.ts","edits":"[{\\"oldText\\":\\"x\\",\\"newText\\":\\"y\\"}]","dryRun":"true"}',
    ),
  ).toMatchInlineSnapshot(`
    "The arguments were refused:
    - "edits" must be an array (received string "[{\\"oldText\\":\\"x\\",\\"newText\\":\\"y\\"}]"; send the array itself, not its JSON text)
    - "dryRun" must be a boolean (received string "true"; send the boolean without quotes)"
  `)
})

it('snake case for camel case', () => {
  expect(told(editFile, '{"path":"a.ts","edits":[{"old_text":"x","new_text":"y","replace_all":true}]}'))
    .toMatchInlineSnapshot(`
    "The arguments were refused:
    - "edits[0].oldText" is required but missing (expected a string)
    - "edits[0].newText" is required but missing (expected a string)
    - "edits[0].old_text" is not a declared property (did you mean "oldText"?)
    - "edits[0].new_text" is not a declared property (did you mean "newText"?)
    - "edits[0].replace_all" is not a declared property (did you mean "replaceAll"?)"
  `)
})

it('one object where a list is wanted, under another name', () => {
  expect(told(editFile, '{"file_path":"a.ts","edits":{"oldText":"x","newText":"y"}}')).toMatchInlineSnapshot(`
    "The arguments were refused:
    - "path" is required but missing (expected a string)
    - "edits" must be an array (received an object; put it in an array, even when it is the only one)
    - "file_path" is not a declared property (did you mean "path"?)"
  `)
})

it('null for everything that is not wanted', () => {
  expect(
    told(search, '{"query":"lint","maxResults":null,"sort":null,"filter":{"language":null,"stars":"null"}}'),
  ).toMatchInlineSnapshot(`
    "The arguments were refused:
    - "maxResults" must be an integer (received null; it is optional: leave it out instead)
    - "sort" must be one of "relevance", "newest", "oldest" (received null; it is optional: leave it out instead)
    - "filter.language" must be a string (received null; it is optional: leave it out instead)
    - "filter.stars" must be an integer (received string "null"; it is optional: leave it out instead)"
  `)
})

it('a value outside the list, and a fraction', () => {
  expect(told(search, '{"query":["lint","format"],"maxResults":10.5,"sort":"Newest"}'))
    .toMatchInlineSnapshot(`
      "The arguments were refused:
      - "query" must be a string (received an array)
      - "maxResults" must be an integer (received number 10.5)
      - "sort" must be one of "relevance", "newest", "oldest" (received string "Newest"; did you mean "newest"?)"
    `)
})

it('a kind that does not exist', () => {
  expect(told(act, '{"action":{"kind":"double_click","x":1,"y":2},"target":7}')).toMatchInlineSnapshot(`
    "The arguments were refused:
    - "action.kind" must be one of "click", "type", "wait" (received string "double_click")
    - "target" must be a string or an array (received number 7)"
  `)
})

it('fields of one kind under another, and a kind left out', () => {
  expect(told(act, '{"action":{"kind":"type","x":1,"y":2}}')).toMatchInlineSnapshot(`
    "The arguments were refused:
    - "action.text" is required but missing (expected a string)
    - "action.x" is not a declared property (declared: one of "kind", "text")
    - "action.y" is not a declared property (declared: one of "kind", "text")"
  `)
  expect(told(act, '{"action":{"text":"hello"}}')).toMatchInlineSnapshot(`
    "The arguments were refused:
    - "action.kind" is required but missing (expected one of "click", "type", "wait")"
  `)
  expect(told(act, '{"action":"click","target":{"selector":"#a"}}')).toMatchInlineSnapshot(`
    "The arguments were refused:
    - "action" must be an object whose "kind" is one of "click", "type", "wait" (received string "click")
    - "target" must be a string or an array (received an object)"
  `)
})

it('text that is cut off, or is not JSON', () => {
  expect(told(editFile, '{"path":"a.ts","edits":[{"oldText":"x","newText":"y')).toMatchInlineSnapshot(`
    "The arguments were refused:
    - "arguments" must be JSON text (expected a closing double quote, found the end of the text at line 1, column 52; the text ends too early: send it whole)"
  `)
  expect(told(search, "{'query': 'lint'}")).toMatchInlineSnapshot(`
    "The arguments were refused:
    - "arguments" must be JSON text (expected a property name in double quotes, found "'query': 'lint'}" at line 1, column 2)"
  `)
  expect(told(search, '```json\n{"query":"lint"}\n```')).toMatchInlineSnapshot(`
    "The arguments were refused:
    - "arguments" must be JSON text (expected a JSON value, found "\`\`\`json\\n{\\"query\\":\\"li" at line 1, column 1; send the JSON alone, without a code fence)"
  `)
  expect(told(search, '{"query":"lint",}')).toMatchInlineSnapshot(`
    "The arguments were refused:
    - "arguments" must be JSON text (expected a property name in double quotes, found "}" at line 1, column 17; remove the comma before "}")"
  `)
})

it('nothing, the arguments in a wrapper, and an identifier that would lose digits', () => {
  expect(told(search, '')).toMatchInlineSnapshot(`
    "The arguments were refused:
    - "query" is required but missing (expected a string)"
  `)
  expect(told(search, '{"arguments":{"query":"lint"}}')).toMatchInlineSnapshot(`
    "The arguments were refused:
    - "query" is required but missing (expected a string)
    - "arguments" is not a declared property (send what is in it without the wrapper)"
  `)
  expect(told(search, '[{"query":"lint"}]')).toMatchInlineSnapshot(`
    "The arguments were refused:
    - "arguments" must be an object (received an array)"
  `)
  expect(told(search, '{"query":"lint","filter":{"stars":1234567890123456789012}}')).toMatchInlineSnapshot(`
    "The arguments were refused:
    - "filter.stars" must be an integer of at most 2^53 - 1 (received 1234567890123456789012, which would be rounded)"
  `)
})
