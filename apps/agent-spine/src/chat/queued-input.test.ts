import { createSession } from '@agent-spine/session'
import { createAgent } from '@agent-spine/agent-loop'
import { scriptedModel } from '@agent-spine/model/testing'
import { expect, it } from 'vitest'
import { afterEvent, queuedTexts } from './queued-input.js'

it('is what the agent still has to take in, what enters the running turn first', async () => {
  const session = await createSession()
  const seen: string[][] = []
  let queue = queuedTexts(session.events)
  session.subscribe(event => {
    queue = afterEvent(queue, event)
    if (event.type === 'inbox/spliced') seen.push(queue.map(({ text, target }) => `${target} ${text}`))
  })
  const agent = createAgent({ session, model: scriptedModel(['one', 'two', 'three']) })
  agent.followup('a')
  const withdrawn = agent.followup('b')
  agent.followup('c')
  agent.inject('now')
  withdrawn.withdraw()
  await agent.whenIdle()
  const [a, b, c, now] = ['next-turn a', 'next-turn b', 'next-turn c', 'next-step now']
  expect(seen).toEqual([[a], [a, b], [a, b, c], [now, a, b, c], [now, a, c], [a, c], [c], []])
  expect(queuedTexts(session.events)).toEqual([])
  await agent.dispose()
})
