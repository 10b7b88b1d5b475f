import { LlmError } from '@agent-spine/model'
import { HarnessError } from '@agent-spine/schema'
import type { SessionEvent } from '@agent-spine/session'
import { defineTool } from '@agent-spine/tools'
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
  storedSession,
  story,
  writeTool,
} from '../test/scenario.js'

const diskFull = new HarnessError('STORE_FULL', 'no space left')

describe('T4: a stage fails', () => {
  it('a dispatch that cannot be made durable: siblings are drained, nothing is invented, repair tells the truth', async () => {
    let failing = false
    const session = await storedSession(() => (failing ? Promise.reject(diskFull) : undefined))
    const slow = hold<string>()
    const started = hold()
    let bodies = 0
    const tools = [
      readTool('read', text => {
        bodies++
        if (text !== 'a') return text
        failing = true
        started.resolve()
        return slow.promise
      }),
      writeTool('write', text => text),
    ]
    const { agent, errors, model } = scenario(
      [{ calls: [call('a', 'read'), call('b', 'read'), call('c', 'write')] }, 'after'],
      {
        session,
        tools,
        toolHooks: {
          preExecute: async ({ callId }) => {
            // The second call's dispatch comes after the first body runs.
            if (callId === 'b') await started.promise
            return { kind: 'allow' }
          },
        },
      },
    )
    const outcome = agent.prompt('go')
    await started.promise
    await settle()
    expect(agent.status).toBe('running')
    slow.resolve('really read')
    expect((await outcome).reason).toMatchObject({ kind: 'error', failure: { message: 'no space left' } })
    await agent.whenIdle()
    expect(errors).toEqual([diskFull])
    expect(bodies).toBe(1)
    expect(story(session.events).slice(7)).toEqual([
      'call a',
      'dispatch a',
      'call b',
      'dispatch b',
      'late a really read',
      'late b TOOL_NOT_STARTED',
      'step/end',
      'turn/end error UNKNOWN',
    ])
    expectLawful(session)

    failing = false
    expect((await agent.prompt('again')).text).toBe('after')
    expect(story(session.events).slice(15, 20)).toEqual([
      'result a really read (repair)',
      'result b TOOL_NOT_STARTED (repair)',
      'result c TOOL_NOT_STARTED (repair)',
      'turn/start',
      'step/start',
    ])
    expect(model.requests).toHaveLength(2)
    expectLawful(session)
  })

  it('a result that the log refuses is not invented, and not lost', async () => {
    const session = memorySession()
    let refuse = true
    session.guard(batch => {
      if (refuse && batch.some(({ type }) => type === 'tool/result')) throw diskFull
    })
    const { agent, errors } = scenario([{ calls: [call('a', 'write'), call('b', 'write')] }, 'after'], {
      session,
      tools: [
        defineTool({
          name: 'write',
          description: 'writes',
          parameters: { text: { type: 'string' } },
          output: { type: 'string' },
          execute: ({ text }, { deferContext }) => {
            deferContext('and remember')
            return Promise.resolve(`wrote ${text ?? ''}`)
          },
        }),
      ],
    })
    expect((await agent.prompt('go')).reason.kind).toBe('error')
    expect(errors).toEqual([diskFull])
    expect(story(session.events).slice(7)).toEqual([
      'call a',
      'dispatch a',
      'late a wrote a',
      'step/end',
      'turn/end error UNKNOWN',
    ])
    expectLawful(session)
    refuse = false
    expect((await agent.prompt('again')).text).toBe('after')
    expect(story(session.events)).toContain('result a wrote a (repair)')
    expect(story(session.events)).toContain('plugin and remember')
    expectLawful(session)
  })

  it('what a failing policy stage was to pass is withheld, not passed by another way', async () => {
    let failures = 1
    const { agent, session, errors } = scenario(
      [{ calls: [call('a', 'write'), call('b', 'write')] }, 'after'],
      {
        tools: [writeTool('write', text => `secret ${text}`)],
        wrapTools: runtime => ({
          ...runtime,
          schemas: () => runtime.schemas(),
          bind: options => {
            const stages = runtime.bind(options)
            return {
              ...stages,
              finalize: (execution, settled) => {
                if (failures-- > 0) throw diskFull
                return stages.finalize(execution, settled)
              },
            }
          },
        }),
      },
    )
    expect((await agent.prompt('go')).reason.kind).toBe('error')
    expect(errors).toEqual([diskFull])
    await agent.prompt('again')
    expect(story(session.events).filter(line => /repair|secret/.test(line))).toEqual([
      'result a TOOL_OUTCOME_UNKNOWN (repair)',
      'result b TOOL_NOT_STARTED (repair)',
    ])
    expectLawful(session)
  })

  it('a body that ran when its dispatch failed is unknown, and not called unstarted', async () => {
    const session = memorySession()
    let refuse = true
    session.guard(batch => {
      if (refuse && batch.some(({ type }) => type === 'tool/sub-call')) throw diskFull
    })
    const outer = defineTool({
      name: 'outer',
      description: 'calls another tool',
      parameters: { text: { type: 'string' } },
      output: { type: 'string' },
      execute: async (_, { callTools }) => {
        await callTools([{ name: 'outer', arguments: '{}' }])
        return 'done'
      },
    })
    const { agent, errors } = scenario([{ calls: [call('a', 'outer')] }, 'after'], {
      session,
      tools: [outer],
    })
    expect((await agent.prompt('go')).reason.kind).toBe('error')
    expect(errors).toEqual([diskFull])
    expect(story(session.events).slice(7)).toEqual([
      'call a',
      'dispatch a',
      'step/end',
      'turn/end error UNKNOWN',
    ])
    refuse = false
    await agent.prompt('again')
    expect(story(session.events)).toContain('result a TOOL_OUTCOME_UNKNOWN (repair)')
    expectLawful(session)
  })

  it('is aborted, and told to nobody, when it was also cancelled', async () => {
    let failing = false
    const session = await storedSession(() => (failing ? Promise.reject(diskFull) : undefined))
    const { agent, errors } = scenario([{ calls: [call('a', 'write')] }], {
      session,
      tools: [writeTool('write', text => text)],
    })
    session.subscribe(({ type }) => {
      if (type !== 'tool/dispatch') return
      failing = true
      agent.cancel()
    })
    expect((await agent.prompt('go')).reason.kind).toBe('aborted')
    expect(errors).toEqual([])
    expectLawful(session)
  })
})

describe('write-ahead', () => {
  it('no request leaves before the log up to it is durable', async () => {
    const flushes: (() => void)[] = []
    const session = await storedSession(() => new Promise<void>(resolve => void flushes.push(resolve)))
    const { agent, model } = scenario(['ok'], { session })
    const outcome = agent.prompt('hi')
    await settle()
    expect(flushes).toHaveLength(1)
    // What comes while the log is flushed is flushed too, before anything leaves.
    agent.inject('more')
    flushes[0]?.()
    await settle()
    expect(model.requests).toHaveLength(0)
    expect(flushes).toHaveLength(2)
    flushes[1]?.()
    await settle()
    expect(model.requests).toHaveLength(1)
    agent.cancel()
    await outcome
    expectLawful(session)
  })

  it('a flush that hangs does not hold up a cancel, and its request never leaves', async () => {
    const session = await storedSession(() => new Promise<never>(() => undefined))
    const { agent, model } = scenario(['ok'], { session })
    const outcome = agent.prompt('hi')
    await settle()
    await agent.cancel().done
    expect((await outcome).reason.kind).toBe('aborted')
    expect(model.requests).toHaveLength(0)
    expectLawful(session)
  })

  it('no body runs before its dispatch is durable', async () => {
    let hold2: (() => void) | undefined
    let dispatched = false
    const session = await storedSession(() =>
      dispatched ? new Promise<void>(resolve => (hold2 = resolve)) : undefined,
    )
    let ran = false
    const { agent } = scenario(obliging([call('a', 'write')]), {
      session,
      tools: [
        writeTool('write', text => {
          ran = true
          return text
        }),
      ],
    })
    session.subscribe(({ type }) => {
      if (type === 'tool/dispatch') dispatched = true
      if (type === 'tool/result') dispatched = false
    })
    const outcome = agent.prompt('go')
    await settle()
    expect([dispatched, ran]).toEqual([true, false])
    hold2?.()
    expect((await outcome).text).toBe('done')
    expect(ran).toBe(true)
  })
})

describe('the infrastructure fails', () => {
  const tools = [readTool('read', text => text), writeTool('write', text => text)]
  const calls = [call('a', 'read'), call('b', 'read'), call('c', 'write')]

  it.each(['once', 'from then on'] as const)('at every flush, %s', async lasting => {
    for (let at = 1; ; at++) {
      let flushes = 0
      let working = false
      const session = await storedSession(() => {
        flushes++
        const fails = !working && (lasting === 'once' ? flushes === at : flushes >= at)
        return fails ? Promise.reject(diskFull) : undefined
      })
      const { agent, errors } = scenario(obliging(calls), { session, tools })
      const { reason } = await agent.prompt('go')
      await agent.whenIdle()
      working = true
      if (flushes < at) {
        expect(at).toBeGreaterThan(4)
        expect(reason.kind).toBe('completed')
        return
      }
      expect(reason).toMatchObject({ kind: 'error' })
      expect(errors).toEqual([diskFull])
      expectLawful(session)
      expect((await agent.prompt('again')).reason.kind).toBe('completed')
      expectLawful(session)
    }
  })

  it.each(['once', 'from then on'] as const)('at every append, %s', async lasting => {
    for (let at = 1; ; at++) {
      const session = memorySession()
      let appends = 0
      let working = false
      let refused: SessionEvent['type'] | undefined
      session.guard(([first]) => {
        appends++
        if (working || (lasting === 'once' ? appends !== at : appends < at)) return
        refused ??= first?.type
        throw diskFull
      })
      const { agent, errors } = scenario(obliging(calls), { session, tools })
      const { reason } = await agent.prompt('go')
      await agent.whenIdle()
      working = true
      if (refused === undefined) {
        expect(at).toBeGreaterThan(25)
        expect(reason.kind).toBe('completed')
        return
      }
      expect(reason.kind, `append ${at}: ${refused}`).toBe('error')
      // Input that never entered the log is the caller's to tell of; all else is told.
      if (at > 1) expect(errors[0], `append ${at}: ${refused}`).toBe(diskFull)
      expectSound(session)
      expect((await agent.prompt('again')).reason.kind, `append ${at}: ${refused}`).toBe('completed')
      expect(story(session.events)).toContain('user again')
      expectSound(session)
    }
  })

  it('a closed session ends the turn loudly, and the agent rests', async () => {
    const session = memorySession()
    const { agent, errors } = scenario(['ok'], { session })
    session.subscribe(({ type }) => {
      if (type === 'attempt/start') void session.close()
    })
    expect((await agent.prompt('hi')).reason.kind).toBe('error')
    await agent.whenIdle()
    expect(errors.length).toBeGreaterThan(0)
    expect((await agent.prompt('more')).reason).toMatchObject({ kind: 'error' })
    expect(agent.cancel().discarded).toEqual([])
    expectLawful(session)
  })
})

describe('the model fails', () => {
  it('its visible text is kept, the turn ends with the failure, and the next one goes on', async () => {
    const failure = new LlmError('OVERLOADED', 'busy', { status: 529 })
    const { agent, session, errors } = scenario([
      async function* () {
        yield { type: 'text-delta', index: 0, text: 'par' } as const
        await Promise.resolve()
        throw failure
      },
      'fine',
    ])
    expect(await agent.prompt('hi')).toMatchObject({
      text: 'par',
      reason: { kind: 'error', failure: { code: 'OVERLOADED', message: 'busy', status: 529 } },
    })
    expect(errors).toEqual([failure])
    expect(story(session.events).slice(4)).toEqual([
      'attempt/start',
      'interrupted par',
      'attempt/end OVERLOADED',
      'step/end',
      'turn/end error OVERLOADED',
    ])
    expect((await agent.prompt('hi again')).text).toBe('fine')
    expectLawful(session)
  })

  it('a stream that just ends is no answer', async () => {
    const { agent, session } = scenario([[{ type: 'text-delta', index: 0, text: 'par' }]])
    expect((await agent.prompt('hi')).reason).toMatchObject({ failure: { code: 'INCOMPLETE_STREAM' } })
    expect(story(session.events)).toContain('interrupted par')
    expectLawful(session)
  })

  it('a finish that reports a failure is one', async () => {
    const reason = { kind: 'error', failure: { code: 'AUTH', message: 'who?' } } as const
    const { agent, session } = scenario([[{ type: 'finish', reason }]])
    expect((await agent.prompt('hi')).reason).toEqual({ kind: 'error', failure: reason.failure })
    expectLawful(session)
  })
})
