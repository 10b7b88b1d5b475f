import { LlmError, type ModelRequest, type StreamChunk } from '@agent-spine/model'
import { describe, expect, it, vi } from 'vitest'
import { call, expectLawful, memorySession, readTool, scenario, settle, story } from '../test/scenario.js'
import { createAgent, type AgentHooks, type StepEntry } from './index.js'

async function* breaking(text: string, error: unknown): AsyncGenerator<StreamChunk> {
  yield { type: 'text-delta', index: 0, text }
  await Promise.resolve()
  throw error
}

const busy = new LlmError('OVERLOADED', 'busy')
const quick = { maxRetries: 2, baseDelayMs: 0 }

describe('retry', () => {
  it('is off by default', async () => {
    const { agent, model } = scenario([() => breaking('a', busy), 'never'])
    expect((await agent.prompt('hi')).reason.kind).toBe('error')
    expect(model.requests).toHaveLength(1)
  })

  it('discards the failed attempt, whose chunks stay in the log and out of the message', async () => {
    const { agent, session, errors } = scenario([() => breaking('bad', busy), 'good'], { retry: quick })
    expect((await agent.prompt('hi')).text).toBe('good')
    expect(errors).toEqual([])
    expect(story(session.events).slice(4)).toEqual([
      'attempt/start',
      'attempt/end OVERLOADED',
      'attempt/start',
      'assistant good',
      'attempt/end ok',
      'step/end',
      'turn/end completed',
    ])
    const text = session.events.flatMap(event =>
      event.type === 'assistant/chunk' && event.data.chunk.type === 'text-delta'
        ? [event.data.chunk.text]
        : [],
    )
    expect(text.join('')).toBe('badgood')
    expectLawful(session)
  })

  it('gives up after its last retry, keeping what the last attempt showed', async () => {
    const answers = [1, 2, 3].map(n => () => breaking(`try ${n}`, busy))
    const { agent, session } = scenario(answers, { retry: quick })
    expect((await agent.prompt('hi')).reason).toMatchObject({ failure: { code: 'OVERLOADED' } })
    expect(story(session.events).filter(line => line.startsWith('attempt/end'))).toHaveLength(3)
    expect(story(session.events)).toContain('interrupted try 3')
    expectLawful(session)
  })

  it('a cancel ends the wait, and keeps the failed attempt as interrupted', async () => {
    const { agent, session } = scenario([() => breaking('par', busy)], {
      retry: { maxRetries: 1, baseDelayMs: 2 ** 30, maxDelayMs: 2 ** 30 },
    })
    const outcome = agent.prompt('hi')
    await settle()
    await agent.cancel().done
    expect((await outcome).reason.kind).toBe('aborted')
    expect(story(session.events)).toContain('interrupted par')
    expect(story(session.events)).toContain('attempt/end OVERLOADED')
    expectLawful(session)
  })

  it('requestError hooks decide before the policy does', async () => {
    const seen: string[] = []
    const hooks: AgentHooks = {
      requestError: async ({ failure, attempt }, next) => {
        seen.push(`${attempt} ${failure.code} ${(await next()).kind}`)
        return { kind: 'retry' }
      },
    }
    const { agent } = scenario([() => breaking('a', new LlmError('AUTH', 'no')), 'in'], {
      hooks,
      retry: quick,
    })
    expect((await agent.prompt('hi')).text).toBe('in')
    expect(seen).toEqual(['0 AUTH fail'])
  })

  it('no hook and no policy sees an invariant violation', async () => {
    const requestError = vi.fn()
    const { agent, model, errors } = scenario(
      [() => breaking('a', new LlmError('INVARIANT_VIOLATION', 'desync')), 'never'],
      { hooks: { requestError }, retry: quick },
    )
    expect((await agent.prompt('hi')).reason).toMatchObject({ failure: { code: 'INVARIANT_VIOLATION' } })
    expect(requestError).not.toHaveBeenCalled()
    expect(model.requests).toHaveLength(1)
    expect(errors).toHaveLength(1)
  })
})

describe('what an attempt used', () => {
  const usage = { inputTokens: 3, outputTokens: 2 }

  async function* metered(failure?: Error): AsyncGenerator<StreamChunk> {
    yield { type: 'text-delta', index: 0, text: 'some' }
    yield { type: 'usage', usage }
    await Promise.resolve()
    if (failure !== undefined) throw failure
    yield { type: 'finish', reason: { kind: 'stop' } }
  }

  it.each<[string, Error | undefined, object[]]>([
    ['whole', undefined, [{ usage }, { usage }]],
    [
      'interrupted',
      busy,
      [
        { usage, interrupted: true },
        { usage, failure: { code: 'OVERLOADED' } },
      ],
    ],
  ])('stands beside the %s answer and at the end of the attempt', async (_, failure, expected) => {
    const { agent, session } = scenario([() => metered(failure)])
    expect((await agent.prompt('hi')).usage).toEqual(usage)
    const data = session.events.flatMap(event =>
      event.type === 'assistant/message' || event.type === 'attempt/end' ? [event.data] : [],
    )
    expect(data).toMatchObject(expected)
  })

  it('is not invented where the provider did not say', async () => {
    const { agent, session } = scenario([() => breaking('some', busy), 'ok'])
    await agent.prompt('hi')
    await agent.prompt('again')
    const counted = session.events.filter(({ data }) => Object.hasOwn(data, 'usage'))
    expect(counted).toEqual([])
  })
})

describe('a context that is too long', () => {
  const overflow = new LlmError('CONTEXT_OVERFLOW', 'too long')
  /** Replaces everything before the latest message by a summary, and the summary by the next one. */
  function compacting(): AgentHooks {
    let summary: number | undefined
    return {
      compact: ({ session }) => {
        const surface = session.events.filter(({ surfaceOp }) => surfaceOp !== undefined)
        const start = summary ?? surface[0]?.seq ?? 0
        const end = summary ?? surface[1]?.seq ?? 0
        const { seq } = session.append(
          'user/message',
          {
            message: {
              id: `summary_${session.events.length}`,
              role: 'user',
              source: { kind: 'plugin', name: 'summary' },
              content: [{ type: 'text', text: 'in short' }],
            },
          },
          { surfaceOp: { replace: { start, end } } },
        )
        summary = seq
        return Promise.resolve(true)
      },
    }
  }

  it('is compacted inside the step, and asked again', async () => {
    const { agent, session, model } = scenario(['one', () => breaking('', overflow), 'two'], {
      hooks: compacting(),
    })
    await agent.prompt('first')
    expect((await agent.prompt('second')).text).toBe('two')
    const texts = model.requests.at(-1)?.messages.map(({ content }) => content[0])
    expect(texts).toMatchObject([{ text: 'in short' }, { text: 'second' }])
    expectLawful(session)
  })

  it('a hook that claims to have compacted and did not is not believed', async () => {
    const { agent, model } = scenario([() => breaking('', overflow), 'never'], {
      hooks: { compact: () => Promise.resolve(true) },
    })
    expect((await agent.prompt('hi')).reason).toMatchObject({ failure: { code: 'CONTEXT_OVERFLOW' } })
    expect(model.requests).toHaveLength(1)
  })

  it('is not compacted without end', async () => {
    const answers = Array.from({ length: 10 }, () => () => breaking('', overflow))
    const { agent, model, session } = scenario(['one', ...answers], { hooks: compacting() })
    await agent.prompt('first')
    expect((await agent.prompt('second')).reason).toMatchObject({ failure: { code: 'CONTEXT_OVERFLOW' } })
    expect(model.requests).toHaveLength(1 + 4)
    expectLawful(session)
  })
})

describe('max-tokens', () => {
  const tools = [readTool('read', text => text)]

  it('runs no call of a cut answer, is sticky, and tells the model at the next step', async () => {
    const ran = vi.fn((text: string) => text)
    const { agent, session, model } = scenario(
      [
        { text: 'let me', calls: [call('a', 'read'), call('b', 'read')], finish: { kind: 'max-tokens' } },
        'I see',
      ],
      { tools: [readTool('read', ran)] },
    )
    expect((await agent.prompt('go')).reason).toEqual({ kind: 'max-tokens' })
    expect(ran).not.toHaveBeenCalled()
    await agent.prompt('and?')
    expect(JSON.stringify(model.requests[1]?.messages)).toContain('did not run: read, read')
    expectLawful(session)
  })

  it('stays the reason when steering continues the turn', async () => {
    const { agent, session } = scenario(
      [
        () => {
          agent.steer('shorter')
          return { text: 'long', finish: { kind: 'max-tokens' } }
        },
        'short',
      ],
      { tools },
    )
    expect(await agent.prompt('go')).toMatchObject({ text: 'short', reason: { kind: 'max-tokens' } })
    expect(story(session.events).filter(line => line.startsWith('plugin'))).toHaveLength(1)
    expectLawful(session)
  })
})

describe('requests', () => {
  it('are rebuilt from the log alone: the header is logged when it differs, and only then', async () => {
    const { agent, session, model } = scenario(['one', 'two'], {
      system: 'be brief',
      config: { temperature: 0 },
      tools: [readTool('zebra', text => text), readTool('ape', text => text)],
    })
    await agent.prompt('a')
    await agent.prompt('b')
    const headers = session.events.filter(event => event.type === 'request/header')
    expect(headers).toHaveLength(1)
    expect(headers[0]?.data.reason).toBe('initial')
    const [first, second] = model.requests
    expect(first?.tools?.map(({ name }) => name)).toEqual(['ape', 'zebra'])
    expect(first?.config).toEqual({ provider: 'scripted', model: 'script', temperature: 0 })
    expect(second?.system).toBe('be brief')
    expect([first, first?.messages].every(Object.isFrozen)).toBe(true)
  })

  it('a request hook changes the config of the attempt, and the log says so', async () => {
    let temperature = 0
    const { agent, session, model } = scenario(['one', 'two'], {
      hooks: { request: async (_, next) => ({ ...(await next()), temperature: temperature++ }) },
    })
    await agent.prompt('a')
    await agent.prompt('b')
    expect(model.requests.map(({ config }) => config.temperature)).toEqual([0, 1])
    expect(
      session.events.flatMap(event => (event.type === 'request/header' ? [event.data.reason] : [])),
    ).toEqual(['initial', 'change'])
  })

  it('a request hook that throws fails the step', async () => {
    const { agent, session, model } = scenario([], {
      hooks: { request: () => Promise.reject(new Error('no config')) },
    })
    expect((await agent.prompt('a')).reason).toMatchObject({ failure: { message: 'no config' } })
    expect(model.requests).toHaveLength(0)
    expectLawful(session)
  })

  it('the same history gives the same bytes after a resume, with another tool list', async () => {
    const tools = [readTool('read', text => text)]
    const first = scenario([{ calls: [call('a', 'read')] }, 'done', 'more'], { tools })
    await first.agent.prompt('go')
    const bytes = (request: ModelRequest | undefined) => JSON.stringify(request?.messages)
    const session = memorySession(first.session.events)
    session.append('session/owner', { owner: 'other' })
    const resumed = scenario(['more'], { session, newId: () => 'same' })
    await resumed.agent.prompt('again')
    const kept = first.model.requests[1]?.messages ?? []
    expect(bytes(resumed.model.requests[0]).startsWith(JSON.stringify(kept).slice(0, -1))).toBe(true)
    const header = session.events.findLast(event => event.type === 'request/header')
    expect(header?.data).toMatchObject({ reason: 'resume', header: { config: { model: 'script' } } })
    expectLawful(session)
  })
})

describe('call identity', () => {
  it('answers empty, repeated and reused ids each exactly once', async () => {
    const tools = [readTool('read', text => text)]
    const { agent, session, model } = scenario(
      [
        { calls: [call('', 'read', '1'), call('x', 'read', '2'), call('x', 'read', '3')] },
        { calls: [call('x', 'read', '4'), call('no good', 'read', '5')] },
        'done',
      ],
      { tools },
    )
    const outcome = await agent.prompt('go')
    expect(outcome.calls.map(({ callId }) => callId)).toEqual([
      'call_0_0_0',
      'x',
      'call_0_0_2',
      'call_0_1_0',
      'call_0_1_1',
    ])
    const calls = session.events.flatMap(event => (event.type === 'tool/call' ? [event.data.providerId] : []))
    expect(calls).toEqual([undefined, undefined, 'x', 'x', 'no good'])
    expect(model.requests).toHaveLength(3)
    expectLawful(session)
  })
})

describe('options', () => {
  it('are checked before anything starts', () => {
    const { model } = scenario([])
    expect(() => createAgent({ session: memorySession(), model, maxSteps: 0 })).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTIONS' }),
    )
  })

  it('takes hooks from a class, beside hooks of tools and data of their own', async () => {
    class Counting {
      readonly preExecute = () => ({ kind: 'allow' as const })
      readonly name = 'counting'
      steps = 0
      preStep(_: unknown, next: () => Promise<StepEntry>) {
        this.steps++
        return next()
      }
    }
    const hooks = new Counting()
    const { agent } = scenario(['ok'], { hooks })
    await agent.prompt('hi')
    expect(hooks.steps).toBe(1)
  })
})

describe('a model that streams nothing of the kind', () => {
  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a value of type string', 'text'],
    ['a value of type object', Promise.resolve('text')],
    ['an array', []],
  ])('that returns %s ends the turn with an error that says so, untried again', async (found, stream) => {
    let asked = 0
    const { agent, session, errors } = scenario([], {
      retry: { maxRetries: 3, baseDelayMs: 0 },
      wrapModel: model => ({
        ...model,
        stream: () => {
          asked++
          return stream as unknown as AsyncIterable<StreamChunk>
        },
      }),
    })
    const { reason } = await agent.prompt('hi')
    const message = `expected stream() of the model scripted/script to return an async iterable of chunks, found ${found}: make it an async generator function`
    expect(reason).toEqual({ kind: 'error', failure: { code: 'UNKNOWN', message } })
    expect(errors).toMatchObject([{ code: 'INVALID_MODEL', message }])
    expect(asked).toBe(1)
    expectLawful(session)
  })
})
