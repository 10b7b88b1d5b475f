import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type AssistantMessage, type Message, type Tool } from '../src/chat.js'
import { customLoop } from '../src/custom-loop.js'

function asking(...names: string[]): AssistantMessage {
  const tool_calls = names.map((name, index) => ({
    id: String(index),
    type: 'function' as const,
    function: { name, arguments: '{}' },
  }))
  return { role: 'assistant', content: null, tool_calls }
}

function contents(messages: readonly Message[]): (string | null)[] {
  return messages.filter(({ role }) => role === 'tool').map(({ content }) => content)
}

test('at most four reads overlap, and their results come in the order in which the model asked', async () => {
  let running = 0
  let most = 0
  let finished = 0
  const tools = new Map<string, Tool>([
    [
      'read',
      {
        readonly: true,
        async run() {
          running += 1
          most = Math.max(most, running)
          await Promise.resolve()
          running -= 1
          return String(finished++)
        },
      },
    ],
  ])
  const script = [asking(...Array<string>(9).fill('read')), { role: 'assistant' as const, content: 'Done.' }]
  const messages: Message[] = []
  const model = () => Promise.resolve(script.shift() as AssistantMessage)
  await customLoop(messages, { model, tools, signal: new AbortController().signal })
  expect(most).toBe(4)
  expect(contents(messages)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8'])
  expect(messages.at(-1)).toEqual({ role: 'assistant', content: 'Done.' })
})

test('a cancelled step has a result for every call, and the model is not asked again', async () => {
  const controller = new AbortController()
  let asked = 0
  const tools = new Map<string, Tool>([
    [
      'write',
      {
        readonly: false,
        run() {
          controller.abort()
          return 'written'
        },
      },
    ],
  ])
  const messages: Message[] = []
  const model = () => {
    asked += 1
    return Promise.resolve(asking('write', 'write'))
  }
  await customLoop(messages, { model, tools, signal: controller.signal })
  expect(contents(messages)).toEqual(['written', 'Cancelled before it ran.'])
  expect(asked).toBe(1)
})

test('arguments that are not JSON are the error of their call alone', async () => {
  const broken = asking('read', 'read')
  for (const call of broken.tool_calls ?? []) if (call.id === '0') call.function.arguments = '{'
  const script = [broken, { role: 'assistant' as const, content: 'Done.' }]
  const messages: Message[] = []
  const tools = new Map<string, Tool>([['read', { readonly: true, run: () => 'text' }]])
  const model = () => Promise.resolve(script.shift() as AssistantMessage)
  await customLoop(messages, { model, tools, signal: new AbortController().signal })
  expect(contents(messages)).toEqual([expect.stringMatching(/^Error: .*JSON/), 'text'])
})

test('the loop is as long as both READMEs say', () => {
  const app = join(import.meta.dirname, '..')
  const linesOf = (file: string) => readFileSync(file, 'utf8').split('\n')
  const length = linesOf(join(app, 'src', 'custom-loop.ts')).length - 1
  for (const readme of [join(app, 'README.md'), join(app, '..', '..', 'README.md')]) {
    expect(
      linesOf(readme)
        .filter(line => line.includes('custom-loop'))
        .join(),
    ).toContain(`${length} lines`)
  }
})
