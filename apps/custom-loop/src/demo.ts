/** Runs the loop with a scripted model and no network. `node dist/demo.js`, or `node dist/demo.js wait` and Ctrl-C. */
import { setTimeout as delay } from 'node:timers/promises'
import { type AssistantMessage, type Message, type Tool } from './chat.js'
import { customLoop } from './custom-loop.js'

const notes = new Map([
  ['a.txt', 'apples'],
  ['b.txt', 'bread'],
])

const tools = new Map<string, Tool>([
  ['read', { readonly: true, run: ({ path }) => notes.get(String(path)) ?? 'no such note' }],
  [
    'write',
    {
      readonly: false,
      run({ path, text }) {
        notes.set(String(path), String(text))
        return `wrote ${String(path)}`
      },
    },
  ],
  [
    'wait',
    {
      readonly: true,
      async run(_input, signal) {
        console.log('waiting, press Ctrl-C')
        await delay(600_000, undefined, { signal })
        return 'waited'
      },
    },
  ],
])

function asking(...calls: [name: string, input: object][]): AssistantMessage {
  return {
    role: 'assistant',
    content: null,
    tool_calls: calls.map(([name, input], index) => ({
      id: `call_${String(index)}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    })),
  }
}

const script: AssistantMessage[] = process.argv.includes('wait')
  ? [asking(['read', { path: 'a.txt' }], ['wait', {}], ['write', { path: 'a.txt', text: 'ants' }])]
  : [
      asking(
        ['read', { path: 'a.txt' }],
        ['read', { path: 'b.txt' }],
        ['write', { path: 'a.txt', text: 'avocados' }],
        ['read', { path: 'a.txt' }],
        ['delete', { path: 'b.txt' }],
      ),
      { role: 'assistant', content: 'The first note now says avocados.' },
    ]

const controller = new AbortController()
process.once('SIGINT', () => controller.abort())

const messages: Message[] = [{ role: 'user', content: 'Change the first note.' }]
const model = () => Promise.resolve(script.shift() ?? { role: 'assistant' as const, content: 'Done.' })
await customLoop(messages, { model, tools, signal: controller.signal })
for (const message of messages) {
  if (message.role === 'tool') console.log(`  ${message.tool_call_id}: ${message.content}`)
  else console.log(`${message.role}: ${message.content ?? '(calls tools)'}`)
}
