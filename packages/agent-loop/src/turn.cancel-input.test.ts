import { describe, expect, it } from 'vitest'
import { expectLawful, expectSound, hold, call, scenario, story, writeTool } from '../test/scenario.js'

describe('T3: input between the cancel and idle', () => {
  async function cancelledWhileRunning() {
    const started = hold()
    const body = hold<string>()
    const made = scenario([{ calls: [call('a', 'write')] }, 'second', 'third'], {
      tools: [
        writeTool('write', () => {
          started.resolve()
          return body.promise
        }),
      ],
    })
    const first = made.agent.prompt('go')
    await started.promise
    return { ...made, first, body }
  }

  it('goes to a turn of its own, steering too, and is driven without another wake', async () => {
    const { agent, session, first, body } = await cancelledWhileRunning()
    const { done } = agent.cancel()
    const receipt = agent.steer('instead')
    body.resolve('x')
    await done
    expect((await first).reason.kind).toBe('aborted')
    await agent.whenIdle()
    expect(receipt.state).toBe('committed')
    expect(story(session.events).slice(-7)).toEqual([
      'step/start',
      'user instead',
      'attempt/start',
      'assistant second',
      'attempt/end ok',
      'step/end',
      'turn/end completed',
    ])
    expectLawful(session)
  })

  it('is discarded by a second cancel, whose cause does not replace the first', async () => {
    const { agent, session, first, body } = await cancelledWhileRunning()
    agent.cancel()
    const receipt = agent.followup('instead')
    const { discarded } = agent.cancel({ kind: 'parent' })
    expect(discarded.map(({ content }) => content)).toEqual([[{ type: 'text', text: 'instead' }]])
    expect(await receipt.settled).toBe('discarded')
    body.resolve('x')
    expect((await first).reason).toEqual({ kind: 'aborted', cause: { kind: 'user' } })
    await agent.whenIdle()
    expect(story(session.events).filter(line => line === 'turn/start')).toHaveLength(1)
    expectLawful(session)
  })

  it('input that a cancel kept waits until something else wakes', async () => {
    const { agent, session, body } = await cancelledWhileRunning()
    const kept = agent.followup('kept')
    const { done, discarded } = agent.cancel(undefined, { keepInbox: true })
    expect(discarded).toEqual([])
    body.resolve('x')
    await done
    await agent.whenIdle()
    expect(kept.state).toBe('queued')
    agent.followup('wakes')
    await agent.whenIdle()
    expect(kept.state).toBe('committed')
    expect(story(session.events).filter(line => line.startsWith('user'))).toEqual([
      'user go',
      'user kept',
      'user wakes',
    ])
    expectLawful(session)
  })

  it('a cancel by an observer of the insertion cannot reclassify the input', async () => {
    const { agent, session, body } = await cancelledWhileRunning()
    let once = true
    session.subscribe(event => {
      if (event.type !== 'inbox/spliced' || event.data.inserted.length === 0 || !once) return
      once = false
      agent.cancel(undefined, { keepInbox: true })
    })
    const receipt = agent.steer('steered')
    expect(session.events.findLast(event => event.type === 'inbox/spliced')?.data.target).toBe('next-step')
    body.resolve('x')
    await agent.whenIdle()
    // The cancel came after the wake: the input is kept, and waits.
    expect(receipt.state).toBe('queued')
    expectLawful(session)
  })

  it('nothing is driven after dispose', async () => {
    const { agent, session, first, body } = await cancelledWhileRunning()
    const disposed = agent.dispose()
    const receipt = agent.followup('too late')
    body.resolve('x')
    await disposed
    expect(await receipt.settled).toBe('discarded')
    expect((await first).reason).toEqual({ kind: 'aborted', cause: { kind: 'disposed' } })
    expect((await agent.prompt('too late')).reason).toEqual({ kind: 'aborted', cause: { kind: 'disposed' } })
    expect(agent.status).toBe('idle')
    expectLawful(session)
  })
})

describe('a cancel while input is being taken', () => {
  it('either came before the commit, and nothing enters, or after it', async () => {
    const seen = new Set<string>()
    for (let depth = 0; depth < 12; depth++) {
      let atCancel: string | undefined
      const cancelAfter = (ticks: number): void => {
        if (ticks > 0) queueMicrotask(() => cancelAfter(ticks - 1))
        else {
          atCancel = receipt.state
          agent.cancel({ kind: 'user' }, { keepInbox: true })
        }
      }
      const { agent, session } = scenario(['ok'], {
        hooks: {
          preStep: (_, next) => {
            cancelAfter(depth)
            return next()
          },
        },
      })
      const receipt = agent.followup('hi')
      await agent.whenIdle()
      expect(receipt.state, `${depth} microtasks later`).toBe(atCancel)
      seen.add(receipt.state)
      expectSound(session)
    }
    expect([...seen]).toEqual(['queued', 'committed'])
  })
})
