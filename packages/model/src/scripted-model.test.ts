import { expect, it } from 'vitest'
import { BlockAssembler } from './assembler.js'
import type { ModelRequest } from './language-model.js'
import { scriptedModel, type ScriptedAnswer } from './scripted-model.js'

function request(signal = new AbortController().signal): ModelRequest {
  return { messages: [], config: { provider: 'scripted', model: 'script' }, sessionId: 's', signal }
}

async function assembled(answer: ScriptedAnswer): Promise<BlockAssembler> {
  const assembler = new BlockAssembler()
  for await (const chunk of scriptedModel([answer]).stream(request())) assembler.push(chunk)
  assembler.end()
  return assembler
}

it('streams text in several chunks', async () => {
  const chunks = []
  for await (const chunk of scriptedModel(['a sentence that is longer than one chunk']).stream(request()))
    chunks.push(chunk)
  expect(chunks.length).toBeGreaterThan(3)
})

it('streams reasoning, text, calls and usage, and finishes with tool-calls', async () => {
  const assembler = await assembled({
    reasoning: 'hm',
    text: 'Reading.',
    calls: [{ name: 'read_file', arguments: { path: 'a' } }],
    usage: { inputTokens: 1, outputTokens: 2 },
  })
  expect(assembler.blocks()).toEqual([
    { type: 'reasoning', text: 'hm' },
    { type: 'text', text: 'Reading.' },
    { type: 'tool-call', id: 'scripted_0', name: 'read_file', arguments: '{"path":"a"}' },
  ])
  expect(assembler.finish).toEqual({ kind: 'tool-calls' })
  expect(assembler.usage).toEqual({ inputTokens: 1, outputTokens: 2 })
})

it('lets an answer depend on the request, or stream by hand', async () => {
  expect((await assembled(({ sessionId }) => `session ${sessionId}`)).blocks()).toEqual([
    { type: 'text', text: 'session s' },
  ])
  const byHand = await assembled(async function* () {
    yield await Promise.resolve({ type: 'text-delta', index: 0, text: 'by hand' } as const)
    yield { type: 'finish', reason: { kind: 'stop' } } as const
  })
  expect(byHand.blocks()).toEqual([{ type: 'text', text: 'by hand' }])
})

it('records its requests, and refuses one beyond the script', async () => {
  const model = scriptedModel([])
  await expect(model.stream(request())[Symbol.asyncIterator]().next()).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
  })
  expect(model.requests).toHaveLength(1)
})

it('stops with ABORTED once the signal aborts, also after the last chunk', async () => {
  const controller = new AbortController()
  const stream = scriptedModel(['one']).stream(request(controller.signal))
  const seen: string[] = []
  await expect(async () => {
    for await (const chunk of stream) {
      seen.push(chunk.type)
      controller.abort()
    }
  }).rejects.toMatchObject({ code: 'ABORTED' })
  expect(seen).toEqual(['text-delta'])
})
