import { expect, it } from 'vitest'
import { anthropicEvents } from '../test/anthropic-wire.js'
import { googleEvents } from '../test/google-wire.js'
import { openAICall, openAIEvents } from '../test/openai-wire.js'
import { wireProviders } from '../test/wire-providers.js'
import { streamReply } from '../test/wire-server.js'
import { expectSound, wireTurn } from '../test/wire-turn.js'
import { testServer } from '../test/with-server.js'
import { fromAiSdk } from './from-ai-sdk.js'

/** Cancels the first turn at its first chunk of that type, and answers the conversation of the second one's request. */
async function afterCancel(name: string, begun: readonly string[], at: string): Promise<unknown> {
  const provider = wireProviders.find(one => one.name === name)
  if (provider === undefined) throw new Error(`no provider ${name}`)
  const server = await testServer(streamReply(begun, 'hang'), streamReply(provider.text('Hello.')))
  const run = wireTurn(fromAiSdk(provider.model(server.url)))
  const off = run.agent.on('chunk', ({ chunk }) => {
    if (chunk.type === at) run.agent.cancel()
  })
  const outcome = await run.agent.prompt('One.')
  expect(outcome.reason).toMatchObject({ kind: 'aborted' })
  await server.abandoned
  off()
  expect(await run.agent.prompt('Two.')).toMatchObject({
    reason: { kind: 'completed' },
    text: 'Hello.',
  })
  expectSound(run)
  return server.requests[1]?.json[provider.conversation]
}

it('sends OpenAI the visible text of an answer that was cut, without the call that had begun', async () => {
  const begun = openAIEvents([
    { delta: { role: 'assistant', content: 'I will ' } },
    openAICall(0, '{"path":', { id: 'call_a', name: 'read_file' }),
  ]).slice(0, 2)
  expect(await afterCancel('openai-compatible', begun, 'tool-call-delta')).toEqual([
    { role: 'user', content: 'One.' },
    { role: 'assistant', content: 'I will ' },
    { role: 'user', content: 'Two.' },
  ])
})

it('sends DeepSeek no message for an answer that was reasoning alone', async () => {
  const begun = openAIEvents([{ delta: { role: 'assistant', reasoning_content: 'Hm' } }]).slice(0, 1)
  expect(await afterCancel('deepseek', begun, 'reasoning-delta')).toEqual([
    { role: 'user', content: 'One.' },
    { role: 'user', content: 'Two.' },
  ])
})

it('sends Anthropic signed thinking and text, and no thinking whose signature never came', async () => {
  const signed = anthropicEvents([{ thinking: ['Hm.'], signature: 'c2ln' }, { text: ['I w'] }], 'end_turn')
  expect(await afterCancel('anthropic', signed.slice(0, 8), 'text-delta')).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'One.' }] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
        { type: 'text', text: 'I w' },
      ],
    },
    { role: 'user', content: [{ type: 'text', text: 'Two.' }] },
  ])
  expect(await afterCancel('anthropic', signed.slice(0, 4), 'reasoning-delta')).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'One.' },
        { type: 'text', text: 'Two.' },
      ],
    },
  ])
})

it('sends Gemini the visible text', async () => {
  const begun = googleEvents([[{ text: 'I w' }], [{ text: '' }]], 'STOP').slice(0, 1)
  expect(await afterCancel('google', begun, 'text-delta')).toEqual([
    { role: 'user', parts: [{ text: 'One.' }] },
    { role: 'model', parts: [{ text: 'I w' }] },
    { role: 'user', parts: [{ text: 'Two.' }] },
  ])
})
