import { getEventListeners } from 'node:events'
import type { ModelRequest } from '@agent-spine/model'
import { scriptedModel } from '@agent-spine/model/testing'
import type { Session } from '@agent-spine/session'
import { createToolRuntime } from '@agent-spine/tools'
import { describe, expect, it } from 'vitest'
import {
  call,
  expectLawful,
  expectSound,
  hold,
  memorySession,
  obliging,
  readTool,
  scenario,
  settle,
  slowText,
  story,
} from '../test/scenario.js'
import { createAgent } from './index.js'

const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length
const never = () => new Promise<never>(() => undefined)

describe('loose ends', () => {
  it('1 000 turns on one signal leave no listener, on it or on any turn', async () => {
    const { signal } = new AbortController()
    const turnSignals: AbortSignal[] = []
    const during = new Set<number>()
    const answers = Array.from({ length: 1100 }, (_, index) => (request: ModelRequest) => {
      during.add(listeners(signal))
      turnSignals.push(request.signal)
      return index % 11 === 0 ? { calls: [call(`c${index}`, 'read')] } : 'ok'
    })
    const agent = createAgent({
      session: memorySession(),
      model: scriptedModel(answers),
      tools: createToolRuntime({ tools: [readTool('read', text => text)] }),
      hooks: { preStep: (_, next) => next() },
      signal,
    })
    for (let turn = 0; turn < 1000; turn++) await agent.prompt('go')
    await agent.whenIdle()
    expect([...during]).toEqual([1])
    expect(listeners(signal)).toBe(0)
    expect(turnSignals).toHaveLength(1100)
    expect(turnSignals.filter(turnSignal => listeners(turnSignal) > 0)).toEqual([])
  })
})

describe('the parent signal', () => {
  it('cancels what is running, with cause parent', async () => {
    const controller = new AbortController()
    const { agent, session } = scenario([() => slowText('par', never)], { signal: controller.signal })
    const outcome = agent.prompt('hi')
    await settle()
    controller.abort()
    expect((await outcome).reason).toEqual({ kind: 'aborted', cause: { kind: 'parent' } })
    expectLawful(session)
  })

  it('that has aborted lets nothing start', async () => {
    const { agent, session, model } = scenario(['never'], { signal: AbortSignal.abort() })
    expect((await agent.prompt('hi')).reason).toEqual({ kind: 'aborted', cause: { kind: 'parent' } })
    await agent.whenIdle()
    expect(model.requests).toHaveLength(0)
    expect(story(session.events)).toEqual([])
  })
})

describe('whenIdle and status', () => {
  it('follow the driver, and whenIdle waits for all that is queued', async () => {
    const { agent } = scenario(['one', 'two'])
    const statuses: string[] = []
    agent.on('status', ({ status }) => void statuses.push(status))
    expect(agent.status).toBe('idle')
    await agent.whenIdle()
    agent.followup('a')
    const second = agent.followup('b')
    expect(agent.status).toBe('running')
    await agent.whenIdle()
    expect(second.state).toBe('committed')
    expect(statuses).toEqual(['running', 'idle'])
  })
})

describe('runMaintenance', () => {
  it('runs at once when idle, and answers what the job answers', async () => {
    const { agent } = scenario([])
    const job = agent.runMaintenance(({ session }) => Promise.resolve(session.id))
    expect(agent.status).toBe('maintenance')
    expect(await job).toBe('test')
    await agent.whenIdle()
    await expect(agent.runMaintenance(() => Promise.reject(new Error('job')))).rejects.toThrow('job')
    await agent.whenIdle()
  })

  it('waits for the boundary of the turn, and goes before the next one', async () => {
    const { agent, session } = scenario(['one', 'two'])
    agent.followup('a')
    agent.followup('b')
    const seen = await agent.runMaintenance(() => Promise.resolve(story(session.events).at(-1)))
    expect(seen).toBe('turn/end completed')
    expect(story(session.events).filter(line => line === 'turn/start')).toHaveLength(1)
    await agent.whenIdle()
    expect(story(session.events).filter(line => line === 'turn/start')).toHaveLength(2)
  })

  it('input that comes meanwhile is driven afterwards', async () => {
    const { agent } = scenario(['one'])
    const gate = hold()
    const job = agent.runMaintenance(() => gate.promise)
    const outcome = agent.prompt('a')
    await settle()
    expect(agent.status).toBe('maintenance')
    gate.resolve()
    await job
    expect((await outcome).text).toBe('one')
  })

  it('is told of a cancel, and waited for', async () => {
    const { agent } = scenario([])
    const job = agent.runMaintenance(
      ({ signal }) =>
        new Promise(resolve =>
          signal.addEventListener('abort', () => resolve(signal.reason), { once: true }),
        ),
    )
    await settle()
    await agent.cancel({ kind: 'hook', reason: 'stop that' }).done
    expect(await job).toMatchObject({ name: 'AbortError', message: 'cancelled: stop that' })
    expect(agent.status).toBe('idle')
  })

  it('repairs what is open before the job sees the log', async () => {
    const { agent, session } = scenario([])
    session.append('turn/start', { turn: 0 })
    const last = await agent.runMaintenance(() => Promise.resolve(story(session.events).at(-1)))
    expect(last).toBe('turn/end interrupted (repair)')
  })
})

describe('dispose', () => {
  it('cancels, refuses jobs that wait, keeps queued input for the next agent, and starts nothing more', async () => {
    const { agent, session } = scenario([() => slowText('par', never), 'never'])
    const outcome = agent.prompt('a')
    const queued = agent.followup('b')
    await settle()
    const job = agent.runMaintenance(() => Promise.resolve())
    const disposed = agent.dispose()
    await expect(job).rejects.toMatchObject({ code: 'AGENT_DISPOSED' })
    await disposed
    expect((await outcome).reason).toEqual({ kind: 'aborted', cause: { kind: 'disposed' } })
    expect(await queued.settled).toBe('queued')
    await expect(agent.runMaintenance(() => Promise.resolve())).rejects.toMatchObject({
      code: 'AGENT_DISPOSED',
    })
    expect(agent.inject('c').state).toBe('discarded')
    expect(agent.status).toBe('idle')
    await agent.dispose()
    expectLawful(session)

    const next = scenario(['for b', 'for c'], { session })
    expect((await next.agent.prompt('c')).text).toBe('for c')
    expect(story(session.events)).toContain('user b')
    expectLawful(session)
  })

  it("touches the log no more: what was queued is the next agent's", async () => {
    const { agent, session } = scenario([() => slowText('par', never)])
    void agent.prompt('a')
    const queued = agent.followup('b')
    await settle()
    await agent.dispose()
    const { length } = session.events
    expect(agent.cancel().discarded).toEqual([])
    expect(queued.withdraw()).toBe(false)
    expect(session.events).toHaveLength(length)
    expect(queued.state).toBe('queued')
  })

  it('ends the readers of events()', async () => {
    const { agent } = scenario(['ok'])
    const early = agent.events()
    await agent.prompt('hi')
    await agent.dispose()
    let count = 0
    for await (const _ of early) count++
    expect(count).toBeGreaterThan(5)
    expect(await agent.events().next()).toEqual({ done: true, value: undefined })
  })
})

describe('prompt', () => {
  it('resolves when an observer of its own insertion cancels it', async () => {
    for (const keepInbox of [true, false]) {
      const { agent, session } = scenario([])
      session.subscribe(event => {
        if (event.type === 'inbox/spliced') agent.cancel({ kind: 'user' }, { keepInbox })
      })
      expect((await agent.prompt('hi')).reason).toEqual({ kind: 'aborted', cause: { kind: 'user' } })
      expect(story(session.events)).toEqual([])
    }
  })

  it('resolves when its input waits behind a turn that is cancelled, kept or not', async () => {
    for (const keepInbox of [true, false]) {
      const { agent, session } = scenario([() => slowText('par', never)])
      void agent.prompt('first')
      const second = agent.prompt('second')
      await settle()
      agent.cancel({ kind: 'user' }, { keepInbox })
      expect(await second).toMatchObject({ reason: { kind: 'aborted' }, text: '' })
      expectLawful(session)
    }
  })

  it('resolves as aborted when its input is withdrawn, before its turn or while hooks look at it', async () => {
    const { agent, session } = scenario(['one'], {
      hooks: {
        preStep: (_, next) => {
          withdraw(session, 'next-turn', 0)
          return next()
        },
      },
    })
    agent.steer('stays')
    const looked = agent.prompt('looked at')
    const waiting = agent.prompt('waiting')
    withdraw(session, 'next-turn', 1)
    expect((await waiting).reason).toEqual({ kind: 'aborted', cause: { kind: 'user' } })
    expect((await looked).reason).toEqual({ kind: 'aborted', cause: { kind: 'user' } })
    expect(story(session.events).at(-1)).toBe('turn/end completed')
  })

  it('from inside an observer works', async () => {
    const { agent, session } = scenario(obliging([]))
    let nested: Promise<unknown> | undefined
    session.subscribe(({ type }) => {
      if (type === 'turn/end') nested ??= agent.prompt('nested')
    })
    await agent.prompt('outer')
    expect(await nested).toMatchObject({ turn: 1, text: 'ok' })
    await agent.whenIdle()
    expectSound(session)
  })
})

/** Returns the input at `index` of a queue, as its receipt would. */
function withdraw(session: Session, target: 'next-turn' | 'next-step', index: number): void {
  const queue: string[] = []
  for (const event of session.events) {
    if (event.type !== 'inbox/spliced' || event.data.target !== target) continue
    const { start, removed, inserted } = event.data
    queue.splice(start, removed.length, ...inserted.map(({ inboxId }) => inboxId))
  }
  const removed = queue.slice(index, index + 1)
  if (removed.length === 0) return
  session.append('inbox/spliced', { target, start: index, removed, inserted: [], outcome: 'returned' })
}
