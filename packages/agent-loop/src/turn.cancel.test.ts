import { defineTool } from '@agent-spine/tools'
import { describe, expect, it } from 'vitest'
import {
  call,
  expectLawful,
  hold,
  reached,
  readTool,
  scenario,
  settle,
  slowText,
  story,
  writeTool,
} from '../test/scenario.js'

const never = () => new Promise<never>(() => undefined)

describe('T1: cancel while the answer streams', () => {
  it('keeps what was visible, citing its chunks, and ends the turn with the cause', async () => {
    const { agent, session, errors } = scenario([() => slowText('hel', never)])
    const outcome = agent.prompt('hi')
    await reached(session, 'assistant/chunk', 3)
    const { done, discarded } = agent.cancel()
    expect(discarded).toEqual([])
    await done
    expect(await outcome).toMatchObject({ reason: { kind: 'aborted', cause: { kind: 'user' } }, text: 'hel' })
    expect(story(session.events).slice(4)).toEqual([
      'attempt/start',
      'interrupted hel',
      'attempt/end ABORTED',
      'step/end',
      'turn/end aborted user',
    ])
    const message = session.events.find(event => event.type === 'assistant/message')
    const chunks = session.events.filter(event => event.type === 'assistant/chunk')
    expect(message?.sourceEventSeqs).toEqual(chunks.map(({ seq }) => seq))
    expect(errors).toEqual([])
    expectLawful(session)
  })

  it('leaves no message when nothing visible had streamed, and drops calls that streamed', async () => {
    const { agent, session } = scenario([
      async function* () {
        yield { type: 'tool-call-delta', index: 0, id: 'a', name: 'read', text: '{}' } as const
        yield { type: 'block-end', index: 0 } as const
        await never()
      },
    ])
    void agent.prompt('hi')
    await reached(session, 'assistant/chunk', 2)
    await agent.cancel().done
    expect(story(session.events).slice(4)).toEqual([
      'attempt/start',
      'attempt/end ABORTED',
      'step/end',
      'turn/end aborted user',
    ])
    expectLawful(session)
  })

  it('logs no chunk that comes after the abort', async () => {
    const gate = hold()
    const { agent, session } = scenario([
      async function* () {
        yield { type: 'text-delta', index: 0, text: 'a' } as const
        await gate.promise
        yield { type: 'text-delta', index: 0, text: 'b' } as const
      },
    ])
    void agent.prompt('hi')
    await reached(session, 'assistant/chunk')
    const { done } = agent.cancel()
    gate.resolve()
    await done
    await settle()
    expect(session.events.filter(({ type }) => type === 'assistant/chunk')).toHaveLength(1)
    expect(story(session.events)).toContain('interrupted a')
  })

  it('an answer that had finished is whole, though its stream lingers', async () => {
    const { agent, session } = scenario([
      async function* () {
        yield { type: 'text-delta', index: 0, text: 'whole' } as const
        yield { type: 'finish', reason: { kind: 'stop' } } as const
        await never()
      },
    ])
    const outcome = agent.prompt('hi')
    await reached(session, 'assistant/chunk', 2)
    agent.cancel()
    expect((await outcome).reason.kind).toBe('aborted')
    expect(story(session.events)).toContain('assistant whole')
    expectLawful(session)
  })
})

describe('T2: cancel while calls run', () => {
  it('commits what ran, skips what did not, in the order of the model, in later groups too', async () => {
    const started = hold()
    const tools = [
      readTool('read', async (text, signal) => {
        if (text !== 'a') return text
        started.resolve()
        await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
        return 'stopped half way'
      }),
      writeTool('write', text => text),
    ]
    const calls = [call('a', 'read'), call('b', 'read'), call('c', 'write'), call('d', 'read')]
    let steps = 0
    const { agent, session } = scenario([{ calls }, 'later'], {
      tools,
      maxParallelToolCalls: 1,
      hooks: {
        preStep: (_, next) => {
          steps++
          return next()
        },
      },
    })
    const outcome = agent.prompt('go')
    await started.promise
    await agent.cancel({ kind: 'hook', reason: 'enough' }).done
    expect(await outcome).toMatchObject({
      reason: { kind: 'aborted', cause: { kind: 'hook', reason: 'enough' } },
      calls: [{ callId: 'a' }, { callId: 'b' }, { callId: 'c' }, { callId: 'd' }],
    })
    expect(steps).toBe(1)
    expect(story(session.events).slice(7)).toEqual([
      'call a',
      'dispatch a',
      'result a stopped half way',
      'call b skipped',
      'result b ABORTED_BEFORE_DISPATCH',
      'call c skipped',
      'result c ABORTED_BEFORE_DISPATCH',
      'call d skipped',
      'result d ABORTED_BEFORE_DISPATCH',
      'step/end',
      'turn/end aborted hook',
    ])
    expectLawful(session)
    expect((await agent.prompt('and now?')).text).toBe('later')
    expectLawful(session)
  })

  it('a call that had started and not reached its body gets a result and no skip', async () => {
    const asked = hold()
    const { agent, session } = scenario([{ calls: [call('a', 'read')] }], {
      tools: [readTool('read', text => text)],
      toolHooks: {
        preExecute: () => {
          asked.resolve()
          return never()
        },
      },
    })
    const outcome = agent.prompt('go')
    await asked.promise
    agent.cancel()
    await outcome
    expect(story(session.events).slice(7)).toEqual([
      'call a',
      'result a ABORTED_BEFORE_DISPATCH',
      'step/end',
      'turn/end aborted user',
    ])
    expectLawful(session)
  })

  it('contexts of calls that started wait for the next step that anyone drives', async () => {
    const started = hold()
    const tool = defineTool({
      name: 'note',
      description: 'notes',
      parameters: { text: { type: 'string' } },
      output: { type: 'string' },
      execute: async (_, { deferContext, signal }) => {
        deferContext('remember this')
        started.resolve()
        await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
        return 'ok'
      },
    })
    const { agent, session, model } = scenario([{ calls: [call('a', 'note')] }, 'later'], { tools: [tool] })
    void agent.prompt('go')
    await started.promise
    await agent.cancel().done
    expect(story(session.events).at(-1)).toBe('turn/end aborted user')
    await agent.prompt('next')
    expect(story(session.events)).toContain('plugin remember this')
    expect(model.requests[1]?.messages.map(({ content }) => content[0]?.type)).toEqual([
      'text',
      'tool-call',
      'tool-result',
      'text',
      'text',
    ])
    expectLawful(session)
  })

  it('a body that outlives its grace commits as unknown, and its truth follows once', async () => {
    const started = hold()
    const body = hold<string>()
    const { agent, session, model } = scenario([{ calls: [call('a', 'write')] }, 'checked'], {
      tools: [
        writeTool('write', () => {
          started.resolve()
          return body.promise
        }),
      ],
      abortGraceMs: 0,
    })
    void agent.prompt('go')
    await started.promise
    await agent.cancel().done
    expect(story(session.events).slice(-3)).toEqual([
      'result a TOOL_OUTCOME_UNKNOWN',
      'step/end',
      'turn/end aborted user',
    ])
    body.resolve('written after all')
    await reached(session, 'tool/late')
    await agent.prompt('and?')
    expect(story(session.events)).toContain('late a written after all')
    const told = JSON.stringify(model.requests[1]?.messages.at(-2))
    expect(told).toContain('written after all')
    expectLawful(session)
  })
})
