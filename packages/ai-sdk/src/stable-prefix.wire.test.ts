import { createToolRuntime } from '@agent-spine/tools'
import { describe, expect, it } from 'vitest'
import { otherVersions, wireProviders, type WireProvider } from '../test/wire-providers.js'
import { streamReply, type WireRequest } from '../test/wire-server.js'
import { readFile, wireTurn } from '../test/wire-turn.js'
import { testServer } from '../test/with-server.js'
import { fromAiSdk } from './from-ai-sdk.js'

/** The messages of a request, in the bytes in which they were sent. */
function conversation({ json, text }: WireRequest, { conversation: key }: WireProvider): string[] {
  const messages = (json[key] as readonly unknown[]).map(message => JSON.stringify(message))
  // What was parsed and written again are the bytes of the wire, or the comparison below would prove nothing.
  for (const message of messages) expect(text).toContain(message)
  return messages
}

/** What comes before the conversation and after it. */
function rest({ json }: WireRequest, { conversation: key }: WireProvider): string {
  return JSON.stringify({ ...json, [key]: [] })
}

describe.each([...wireProviders, ...otherVersions])('$name', provider => {
  const { reads, text } = provider

  it('is sent requests that each begin with the bytes of the one before', async () => {
    const answers = [reads('a', 'b'), reads('c'), text('Done.'), reads('d'), text('Done.')]
    const server = await testServer(...answers.map(events => streamReply(events)))
    const { agent } = wireTurn(fromAiSdk(provider.model(server.url)), { system: 'Be brief.' })
    await agent.prompt('One.')
    await agent.prompt('Two.')
    expect(server.requests).toHaveLength(5)
    const sent = server.requests.map(request => conversation(request, provider))
    for (const [index, messages] of sent.slice(1).entries()) {
      const before = sent[index] ?? []
      expect(messages.length).toBeGreaterThan(before.length)
      expect(messages.slice(0, before.length)).toEqual(before)
    }
    expect(new Set(server.requests.map(request => rest(request, provider)))).toHaveProperty('size', 1)
  })

  it('is sent the same bytes after a resume on another day with other tools', async () => {
    const server = await testServer(
      streamReply(reads('a')),
      streamReply(text('Done.')),
      streamReply(text('Again.')),
    )
    const model = fromAiSdk(provider.model(server.url))
    const first = wireTurn(model)
    await first.agent.prompt('One.')
    const second = wireTurn(model, {
      events: first.session.events,
      tools: createToolRuntime({ tools: [readFile] }),
      newId: () => 'later',
    })
    await second.agent.prompt('Two.')
    const [, before = [], after = []] = server.requests.map(request => conversation(request, provider))
    expect(before.length).toBeGreaterThan(2)
    expect(after.slice(0, before.length)).toEqual(before)
  })
})

describe('another model', () => {
  it.each(wireProviders.flatMap(from => wireProviders.filter(to => to !== from).map(to => ({ from, to }))))(
    'takes over from $from.name to $to.name, and from then on its prefix is stable',
    async ({ from, to }) => {
      const server = await testServer(
        ...[from.reads('a', 'b'), from.text('Done.'), to.reads('c'), to.text('Again.')].map(events =>
          streamReply(events),
        ),
      )
      const first = wireTurn(fromAiSdk(from.model(server.url)))
      await first.agent.prompt('One.')
      const second = wireTurn(fromAiSdk(to.model(server.url)), {
        events: first.session.events,
        newId: () => 'later',
      })
      expect(await second.agent.prompt('Two.')).toMatchObject({ text: 'Again.' })
      const [before = [], after = []] = server.requests.slice(2).map(request => conversation(request, to))
      expect(after.slice(0, before.length)).toEqual(before)
      for (const path of ['a', 'b', 'c']) expect(after.join('')).toContain(`text of ${path}`)
    },
  )
})
