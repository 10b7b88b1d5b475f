import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSession, openSession, type Session, type SessionEvent } from '@agent-spine/session'
import { jsonlStore } from '@agent-spine/session/jsonl'
import { defineTool } from '@agent-spine/tools'
import { describe, expect, it } from 'vitest'
import {
  call,
  expectLawful,
  expectSound,
  memorySession,
  obliging,
  readTool,
  scenario,
  story,
  writeTool,
} from '../test/scenario.js'

const bodies: string[] = []
const tools = [
  readTool('read', async text => {
    bodies.push(text)
    await Promise.resolve()
    return text
  }),
  defineTool({
    name: 'note',
    description: 'notes',
    parameters: { text: { type: 'string' } },
    output: { type: 'string' },
    execute: ({ text }, { deferContext }) => {
      deferContext(`context of ${text ?? ''}`)
      return Promise.resolve('noted')
    },
  }),
  writeTool('write', text => text),
]
const calls = [call('a', 'read'), call('b', 'read'), call('c', 'note'), call('d', 'write')]

/** A busy session: calls, contexts, steering, a second turn. With the lengths of the log at which a crash may cut it. */
async function busySession(): Promise<{ readonly session: Session; readonly cuts: readonly number[] }> {
  const session = memorySession()
  const cuts = [0]
  session.guard(batch => {
    const last = batch.at(-1)
    if (last !== undefined) cuts.push(last.seq + 1)
  })
  const { agent } = scenario(obliging(calls), { session, tools })
  const first = agent.prompt('go')
  agent.steer('steered')
  await first
  await agent.prompt('more')
  return { session, cuts }
}

const inputs = (events: readonly SessionEvent[]) =>
  story(events).filter(line => line.startsWith('user ') && line !== 'user next')

describe('T5: the process is killed', () => {
  it('after any event: the next agent repairs, answers, and loses no input', async () => {
    const { session, cuts } = await busySession()
    expect(cuts.length).toBeGreaterThan(50)
    for (const cut of cuts) {
      const prefix = session.events.slice(0, cut)
      const queued = prefix.flatMap(event =>
        event.type === 'inbox/spliced' ? event.data.inserted.filter(isFromUser) : [],
      )
      const resumed = memorySession(prefix)
      const { agent, errors } = scenario(obliging([]), { session: resumed, tools })
      const outcome = await agent.prompt('next')
      await agent.whenIdle()
      expect(outcome.reason, `cut after ${cut} events`).toEqual({ kind: 'completed' })
      expect(errors).toEqual([])
      expect(inputs(resumed.events), `cut after ${cut} events`).toHaveLength(queued.length)
      expectSound(resumed)
      expect(resumed.events.slice(0, cut)).toEqual(prefix)
    }
  })

  it('also inside a batch, where no store of ours tears, the conversation stays legal', async () => {
    const { session } = await busySession()
    for (let cut = 0; cut <= session.events.length; cut += 1) {
      const resumed = memorySession(session.events.slice(0, cut))
      const { agent } = scenario(obliging([]), { session: resumed, tools })
      expect((await agent.prompt('next')).reason.kind, `cut after ${cut} events`).toBe('completed')
    }
  })

  it('a body that was dispatched is not run again, and its outcome is unknown', async () => {
    const { session } = await busySession()
    const cut = session.events.findIndex(event => event.type === 'tool/dispatch' && event.data.callId === 'b')
    bodies.length = 0
    const resumed = memorySession(session.events.slice(0, cut + 1))
    const { agent } = scenario(obliging([]), { session: resumed, tools })
    expect(story(resumed.events).slice(-6)).toEqual([
      'result a TOOL_OUTCOME_UNKNOWN (repair)',
      'result b TOOL_OUTCOME_UNKNOWN (repair)',
      'result c TOOL_NOT_STARTED (repair)',
      'result d TOOL_NOT_STARTED (repair)',
      'step/end (repair)',
      'turn/end interrupted (repair)',
    ])
    await agent.prompt('next')
    expect(bodies).toEqual([])
  })

  it('turn numbers and call ids go on where the log ended', async () => {
    const { session } = await busySession()
    const resumed = memorySession(session.events)
    const { agent } = scenario([{ calls: [call('a', 'read')] }, 'done'], { session: resumed, tools })
    const outcome = await agent.prompt('go')
    expect(outcome.turn).toBe(2)
    expect(outcome.calls).toEqual([{ callId: 'call_2_0_0', name: 'read' }])
    expectLawful(resumed)
  })
})

describe('on files', () => {
  it('a session goes on where another process left it', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'agent-loop-'))
    try {
      const first = await createSession({ id: 'kept', store: jsonlStore(directory) })
      const { agent } = scenario(obliging(calls), { session: first, tools })
      await agent.prompt('go')
      await agent.dispose()
      await first.close()

      const second = await openSession(jsonlStore(directory), 'kept')
      const resumed = scenario(obliging([]), { session: second, tools })
      expect((await resumed.agent.prompt('next')).turn).toBe(1)
      expect(resumed.model.requests[0]?.messages.length).toBeGreaterThan(5)
      // Nothing about the request changed, so the header that the first process logged still stands.
      expect(second.events.filter(({ type }) => type === 'request/header')).toHaveLength(1)
      expectLawful(second)
      await second.close()
    } finally {
      await rm(directory, { recursive: true })
    }
  })
})

function isFromUser({
  message,
}: {
  readonly message: { readonly source: { readonly kind: string } }
}): boolean {
  return message.source.kind === 'user'
}
