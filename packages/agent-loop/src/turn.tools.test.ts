import { defineTool, type Tool, type ToolContext } from '@agent-spine/tools'
import { describe, expect, it } from 'vitest'
import {
  call,
  expectLawful,
  hold,
  reached,
  readTool,
  scenario,
  settle,
  story,
  writeTool,
} from '../test/scenario.js'
import type { AgentEvent } from './index.js'

function tool(
  name: string,
  execute: (text: string, context: ToolContext) => Promise<string>,
  timeoutMs?: number,
): Tool {
  return defineTool({
    name,
    description: name,
    parameters: { text: { type: 'string' } },
    output: { type: 'string' },
    execute: ({ text }, context) => execute(text ?? '', context),
    ...(timeoutMs !== undefined && { timeoutMs }),
  })
}

describe('concludeTurn', () => {
  const finishing = tool('finish', (_, { concludeTurn }) => {
    concludeTurn()
    return Promise.resolve('that is all')
  })

  it('ends the turn after the batch', async () => {
    const { agent, session, model } = scenario([{ calls: [call('a', 'finish'), call('b', 'read')] }], {
      tools: [finishing, readTool('read', text => text)],
    })
    const { reason, calls } = await agent.prompt('go')
    expect(reason).toEqual({ kind: 'completed' })
    expect(calls).toHaveLength(2)
    expect(model.requests).toHaveLength(1)
    expectLawful(session)
  })

  it('does not end it when the call fails', async () => {
    const failing = tool('finish', (_, { concludeTurn }) => {
      concludeTurn()
      return Promise.reject(new Error('no'))
    })
    const { agent, model } = scenario([{ calls: [call('a', 'finish')] }, 'going on'], { tools: [failing] })
    await agent.prompt('go')
    expect(model.requests).toHaveLength(2)
  })

  it('queued steering still continues the turn', async () => {
    const steering = tool('finish', (_, { concludeTurn }) => {
      agent.steer('one more thing')
      concludeTurn()
      return Promise.resolve('that is all')
    })
    const { agent, session } = scenario([{ calls: [call('a', 'finish')] }, 'sure'], { tools: [steering] })
    expect(await agent.prompt('go')).toMatchObject({ turn: 0, text: 'sure' })
    expectLawful(session)
  })
})

describe('contexts', () => {
  it('follow all results of the batch, in call order, at the next step', async () => {
    const slow = hold()
    const note = defineTool({
      name: 'note',
      description: 'notes',
      parameters: { text: { type: 'string' } },
      output: { type: 'string' },
      isConcurrencySafe: () => true,
      execute: async ({ text }, { deferContext }) => {
        deferContext(`about ${text ?? ''}`)
        if (text === 'a') await slow.promise
        else slow.resolve()
        return 'noted'
      },
    })
    const { agent, session } = scenario([{ calls: [call('a', 'note'), call('b', 'note')] }, 'ok'], {
      tools: [note],
    })
    await agent.prompt('go')
    const lines = story(session.events)
    expect(lines.slice(lines.indexOf('result a noted'))).toEqual([
      'result a noted',
      'result b noted',
      'step/end',
      'step/start',
      'plugin about a',
      'plugin about b',
      'attempt/start',
      'assistant ok',
      'attempt/end ok',
      'step/end',
      'turn/end completed',
    ])
    expectLawful(session)
  })
})

describe('a tool that outlives its time limit', () => {
  const lingering = (body: Promise<string>) =>
    tool(
      'slow',
      async (_, { deferContext }) => {
        const value = await body
        deferContext('late news')
        return value
      },
      1,
    )

  it('commits as unknown; its real outcome goes beside the log and to the model, once', async () => {
    const body = hold<string>()
    const { agent, session, model } = scenario(
      [{ calls: [call('a', 'slow')] }, 'waiting', 'I see', 'nothing new'],
      { tools: [lingering(body.promise)], abortGraceMs: 1 },
    )
    expect((await agent.prompt('go')).calls).toMatchObject([{ error: { code: 'TOOL_OUTCOME_UNKNOWN' } }])
    body.resolve('done at last')
    await reached(session, 'tool/late')
    await agent.prompt('well?')
    await agent.prompt('and now?')
    const told = model.requests.map(
      ({ messages }) => JSON.stringify(messages).split('done at last').length - 1,
    )
    expect(told).toEqual([0, 0, 1, 1])
    const notice =
      'The call a of slow, answered before without its real outcome, has settled. Its real outcome:'
    expect(JSON.stringify(model.requests[2]?.messages)).toContain(notice)
    expect(story(session.events)).toContain('plugin late news')
    expectLawful(session)
  })

  it('its outcome in a session that was closed is an error event, and harms nobody', async () => {
    const body = hold<string>()
    const { agent, session, errors } = scenario([{ calls: [call('a', 'slow')] }, 'waiting'], {
      tools: [lingering(body.promise)],
      abortGraceMs: 1,
    })
    await agent.prompt('go')
    await session.close()
    body.resolve('done at last')
    await settle()
    expect(errors).toMatchObject([{ code: 'SESSION_CLOSED' }, { code: 'SESSION_CLOSED' }])
  })
})

it('the log keeps what a tool has to show to people, beside what the model reads', async () => {
  const shows = defineTool({
    name: 'shows',
    description: 'd',
    parameters: {},
    output: { schema: { type: 'string' }, presentationMeta: value => ({ length: value.length }) },
    execute: () => 'four',
  })
  const { agent, session } = scenario([{ calls: [{ id: 'a', name: 'shows', arguments: {} }] }, 'ok'], {
    tools: [shows],
  })
  await agent.prompt('go')
  const results = session.events.flatMap(event => (event.type === 'tool/result' ? [event.data] : []))
  expect(results).toMatchObject([{ meta: { length: 4 } }])
})

describe('calls that a body makes', () => {
  it('are logged beside the surface, and answered to the body', async () => {
    const outer = tool('outer', async (_, { callTools }) => {
      const outcomes = await callTools([
        { name: 'read', arguments: { text: 'x' } },
        { name: 'missing', arguments: '{}' },
      ])
      return outcomes.map(({ error, value }) => error?.code ?? JSON.stringify(value)).join(' ')
    })
    const { agent, session } = scenario([{ calls: [call('a', 'outer')] }, 'ok'], {
      tools: [outer, readTool('read', text => text.toUpperCase())],
    })
    await agent.prompt('go')
    expect(story(session.events)).toContain('result a "X" UNKNOWN_TOOL')
    const subs = session.events.flatMap(event =>
      event.type === 'tool/sub-call' || event.type === 'tool/sub-result'
        ? [`${event.type} ${event.data.parentCallId}`]
        : [],
    )
    expect(subs.filter(line => line === 'tool/sub-call a')).toHaveLength(2)
    expect(subs.filter(line => line === 'tool/sub-result a')).toHaveLength(2)
    expectLawful(session)
  })
})

describe('a call of a body that outlives its step', () => {
  it('is told as an error, and breaks nothing', async () => {
    const nested = hold<string>()
    const outer = tool('outer', async (_, { callTools }) => {
      const [outcome] = await callTools([{ name: 'slow', arguments: {} }])
      return outcome?.error?.code ?? 'settled'
    })
    const { agent, session, errors } = scenario([{ calls: [call('a', 'outer')] }, 'ok'], {
      tools: [outer, tool('slow', () => nested.promise, 1)],
      abortGraceMs: 1,
    })
    await agent.prompt('go')
    expect(story(session.events)).toContain('result a TOOL_OUTCOME_UNKNOWN')
    nested.resolve('after all')
    await settle()
    expect(errors).toMatchObject([{ code: 'STEP_NOT_OPEN' }])
    expectLawful(session)
  })
})

describe('the pool', () => {
  it('reads a function for its cap at each group', async () => {
    let running = 0
    let most = 0
    const caps = [1, 3]
    const read = readTool('read', async text => {
      most = Math.max(most, ++running)
      await settle()
      running--
      return text
    })
    const { agent } = scenario(
      [
        { calls: ['a', 'b', 'c'].map(id => call(id, 'read')) },
        { calls: ['d', 'e', 'f'].map(id => call(id, 'read')) },
        'ok',
      ],
      {
        tools: [read],
        maxParallelToolCalls: () => {
          most = 0
          return caps.shift() ?? 1
        },
      },
    )
    const seen: number[] = []
    agent.session.subscribe(({ type }) => {
      if (type === 'step/end') seen.push(most)
    })
    await agent.prompt('go')
    expect(seen.slice(0, 2)).toEqual([1, 3])
  })
})

describe('what listeners hear', () => {
  it('everything, in order, after the append that it speaks of', async () => {
    const progressing = tool('write', (_, { progress }) => {
      progress({ percent: 50 })
      return Promise.resolve('written')
    })
    const { agent, session } = scenario(['hi', { calls: [call('a', 'write')] }, 'done'], {
      tools: [progressing],
    })
    const heard: string[] = []
    const types = [
      'status',
      'chunk',
      'message',
      'tool-start',
      'tool-progress',
      'tool-end',
      'turn-end',
      'inbox',
    ] as const
    for (const type of types) {
      agent.on(type, event => {
        if (heard.at(-1) !== event.type) heard.push(event.type)
      })
    }
    agent.on('tool-end', ({ callId }) => {
      expect(callId).toBe('a')
      expect(session.events.some(({ type }) => type === 'tool/result')).toBe(true)
    })
    const stream = agent.events()
    await agent.prompt('hello')
    await agent.whenIdle()
    heard.length = 0
    await agent.prompt('go')
    await agent.whenIdle()
    expect(heard).toEqual([
      'inbox',
      'status',
      'inbox',
      'message',
      'chunk',
      'message',
      'tool-start',
      'tool-progress',
      'tool-end',
      'chunk',
      'message',
      'turn-end',
      'status',
    ])
    const streamed: AgentEvent[] = []
    await agent.dispose()
    for await (const event of stream) streamed.push(event)
    expect(streamed.filter(({ type }) => type === 'turn-end')).toHaveLength(2)
    expect(streamed.at(-1)).toEqual({ type: 'status', status: 'idle' })
  })

  it('a listener that throws is reported, and breaks nothing', async () => {
    const { agent, session, errors } = scenario(['ok'])
    agent.on('chunk', () => {
      throw new Error('bad listener')
    })
    expect((await agent.prompt('hi')).text).toBe('ok')
    expect(errors).toContainEqual(new Error('bad listener'))
    expectLawful(session)
  })

  it('skipped calls do not start', async () => {
    const started = hold()
    const { agent } = scenario([{ calls: [call('a', 'write'), call('b', 'write')] }], {
      tools: [
        writeTool('write', async (_, signal) => {
          started.resolve()
          await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
          return 'ok'
        }),
      ],
    })
    const starts: string[] = []
    const ends: string[] = []
    agent.on('tool-start', ({ call: { callId } }) => void starts.push(callId))
    agent.on('tool-end', ({ callId }) => void ends.push(callId))
    const outcome = agent.prompt('go')
    await started.promise
    agent.cancel()
    await outcome
    expect(starts).toEqual(['a'])
    expect(ends).toEqual(['a', 'b'])
  })
})
