import { expect, it, vi } from 'vitest'
import { createToolRuntime, defineTool, parseArguments } from './index.js'
import { runBatch, textOf, toolCall } from './testing/batch-run.js'

function setUp() {
  const body = vi.fn((_: { path: string; limit?: number }) => 'ran')
  const tool = defineTool({
    name: 'read_file',
    description: 'd',
    parameters: { path: { type: 'string', required: true }, limit: { type: 'integer' } },
    isConcurrencySafe: () => true,
    execute: body,
  })
  return { runtime: createToolRuntime({ tools: [tool] }), body }
}

const deep = 100_000
const hostileTexts: [string, string, RegExp][] = [
  ['no text', '', /"path" is required/],
  ['blank text', ' ', /must be an object \(not valid JSON/],
  ['null', 'null', /must be an object.*null/],
  ['a number in quotes', '"5"', /must be an object.*string "5"/],
  ['a number', '5', /must be an object.*number 5/],
  ['an array', '[]', /must be an object.*array/],
  ['cut JSON', '{"a":', /must be an object \(not valid JSON/],
  ['two objects', '{"path":"a"}{"path":"b"}', /must be an object \(not valid JSON/],
  ['a number beyond doubles', '1e999', /must be an object \(not valid JSON/],
  ['such a number inside', '{"path":"a","limit":1e999}', /not valid JSON/],
  [
    'a number with lost digits',
    '{"path":"a","limit":12345678901234567890}',
    /"limit" would be rounded: 12345678901234567890/,
  ],
  ['half a character', '{"path":"\ud800"}', /"path" must be well-formed/],
  ['half a character as text', '"\ud800"', /must be an object/],
  ['an escaped half', '{"path":"\\ud800"}', /"path" must be well-formed/],
  ['a required name from the prototype', '{"__proto__":{"path":"a"}}', /"path" is required/],
  ['deep nesting', '['.repeat(deep) + ']'.repeat(deep), /must be an object/],
  ['deep nesting, cut', '{"a":'.repeat(deep), /not valid JSON/],
  ['deep nesting inside', `{"path":${'['.repeat(deep)}${']'.repeat(deep)}}`, /"path" must be a string/],
  ['5 MB of text', 'x'.repeat(5_000_000), /not valid JSON/],
  [
    '5 MB in the wrong place',
    `{"path":"a","limit":"${'9'.repeat(5_000_000)}"}`,
    /"limit" must be an integer/,
  ],
  ['many wrong items', `{"path":[${'0,'.repeat(99_999)}0]}`, /"path" must be a string/],
]

it.each(hostileTexts)('refuses %s before the body', async (_, text, problem) => {
  const { runtime, body } = setUp()
  const outcome = await runtime.execute(toolCall('a', 'read_file', text))
  expect(body).not.toHaveBeenCalled()
  expect(outcome.error).toEqual({ name: 'ToolArgsError', code: 'INVALID_ARGS' })
  expect(textOf(outcome)).toMatch(/^invalid arguments: /)
  expect(textOf(outcome)).toMatch(problem)
  expect(new TextEncoder().encode(textOf(outcome)).length).toBeLessThan(2048)
})

it('runs the body with 5 MB of arguments that fit', async () => {
  const { runtime, body } = setUp()
  const path = 'x'.repeat(5_000_000)
  await runtime.execute(toolCall('a', 'read_file', { path }))
  expect(body.mock.calls[0]?.[0].path).toHaveLength(path.length)
})

it('reads the text of a call once, however often it is classified', async () => {
  const { runtime } = setUp()
  let reads = 0
  const call = {
    callId: 'a',
    name: 'read_file',
    get arguments() {
      reads++
      return '{"path":"a"}'
    },
  }
  const run = runBatch(runtime, [call])
  await run.done
  expect(run.outcomes.get('a')?.value).toBe('ran')
  expect(reads).toBe(1)
})

it.each([
  ['', {}],
  ['{"a":[1,"x",null]}', { a: [1, 'x', null] }],
  [' {} ', {}],
  ['{"a":', '{"a":'],
  [' ', ' '],
  ['1e999', '1e999'],
])('parses %j as %j, and repairs nothing', (raw, value) => {
  expect(parseArguments(raw)).toEqual(value)
})
