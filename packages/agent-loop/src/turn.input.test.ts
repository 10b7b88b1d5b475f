import { describe, expect, it } from 'vitest'
import {
  call,
  expectLawful,
  hold,
  memorySession,
  readTool,
  scenario,
  settle,
  story,
  writeTool,
} from '../test/scenario.js'
import type { AgentHooks, StepEntry } from './index.js'

const users = (lines: readonly string[]) =>
  lines.filter(line => /^(user|plugin|assistant|turn\/end)/.test(line))

describe('which turn takes which input', () => {
  it('a first step takes the next-step queue and one follow-up; each further follow-up gets its own turn', async () => {
    const { agent, session } = scenario(['one', 'two'])
    agent.followup('f1')
    agent.followup('f2')
    agent.steer('s1')
    agent.inject('i1')
    await agent.whenIdle()
    expect(users(story(session.events))).toEqual([
      'user s1',
      'user i1',
      'user f1',
      'assistant one',
      'turn/end completed',
      'user f2',
      'assistant two',
      'turn/end completed',
    ])
    expectLawful(session)
  })

  it('steering enters the running turn at its next step, after the results', async () => {
    const started = hold()
    const body = hold<string>()
    const { agent, session } = scenario([{ calls: [call('a', 'write')] }, 'done'], {
      tools: [
        writeTool('write', () => {
          started.resolve()
          return body.promise
        }),
      ],
    })
    const outcome = agent.prompt('go')
    await started.promise
    const receipt = agent.steer('rather this')
    expect(receipt.state).toBe('queued')
    body.resolve('ok')
    await outcome
    expect(await receipt.settled).toBe('committed')
    expect(story(session.events).slice(9, 13)).toEqual([
      'result a ok',
      'step/end',
      'step/start',
      'user rather this',
    ])
    expectLawful(session)
  })

  it.each(['steer', 'inject'] as const)('%s during the last answer extends the turn', async kind => {
    const { agent, session, model } = scenario([
      () => {
        agent[kind]('wait')
        return 'one'
      },
      'two',
    ])
    const outcome = await agent.prompt('go')
    expect(outcome.text).toBe('two')
    expect(model.requests).toHaveLength(2)
    expect(users(story(session.events))).toEqual([
      'user go',
      'assistant one',
      'user wait',
      'assistant two',
      'turn/end completed',
    ])
    expectLawful(session)
  })

  it('inject wakes nobody, and rides along with what comes next', async () => {
    const { agent, session } = scenario(['one'])
    const receipt = agent.inject('by the way')
    await settle()
    expect([agent.status, receipt.state, story(session.events)]).toEqual(['idle', 'queued', []])
    await agent.prompt('go')
    expect(users(story(session.events)).slice(0, 2)).toEqual(['user by the way', 'user go'])
  })

  it('what a plugin injects extends no turn and is not discarded', async () => {
    const { agent, session, model } = scenario([
      () => {
        agent.inject('note', { plugin: 'clock' })
        return 'one'
      },
      'two',
    ])
    await agent.prompt('go')
    expect(model.requests).toHaveLength(1)
    expect(agent.cancel().discarded).toEqual([])
    await agent.prompt('more')
    expect(users(story(session.events)).slice(3, 5)).toEqual(['plugin note', 'user more'])
    expectLawful(session)
  })

  it('input that was queued before a crash waits for a wake, and is then driven to its end', async () => {
    const first = scenario([])
    first.session.append('inbox/spliced', {
      target: 'next-turn',
      start: 0,
      removed: [],
      inserted: ['q1', 'q2'].map(id => ({
        inboxId: id,
        message: { id, role: 'user', source: { kind: 'user' }, content: [{ type: 'text', text: id }] },
      })),
    })
    const session = memorySession(first.session.events)
    const { agent } = scenario(['one', 'two', 'three'], { session })
    await settle()
    expect(agent.status).toBe('idle')
    const outcome = await agent.prompt('new')
    expect(outcome.text).toBe('three')
    expect(users(story(session.events)).filter(line => line.startsWith('user'))).toEqual([
      'user q1',
      'user q2',
      'user new',
    ])
    expectLawful(session)
  })

  it('refuses input that says nothing, before anything is logged', async () => {
    const { agent, session } = scenario([])
    expect(() => agent.followup(' \n')).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }))
    await expect(agent.prompt([])).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    expect(session.events).toHaveLength(0)
  })

  it.each([[null], [undefined], [5], [{}], [[null]], [[{ type: 'text' }]], [[{ type: 'tool-call' }]]])(
    'refuses what no caller with types can pass: %j',
    async input => {
      const { agent, session } = scenario([])
      const refusal = expect.objectContaining({ code: 'INVALID_INPUT' }) as Error
      expect(() => agent.steer(input as never)).toThrow(refusal)
      expect(() => agent.inject(input as never)).toThrow(refusal)
      await expect(agent.prompt(input as never)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
      expect(session.events).toHaveLength(0)
    },
  )

  it('takes images', async () => {
    const { agent, model } = scenario(['seen'])
    const image = { type: 'image', mediaType: 'image/png', data: { kind: 'base64', base64: 'AA==' } } as const
    await agent.prompt([image])
    expect(model.requests[0]?.messages[0]?.content).toEqual([image])
  })
})

describe('withdrawn input', () => {
  it('before its turn starts: no turn', async () => {
    const { agent, session } = scenario([])
    const receipt = agent.followup('hi')
    expect(receipt.withdraw()).toBe(true)
    await agent.whenIdle()
    expect(await receipt.settled).toBe('returned')
    expect(story(session.events)).toEqual([])
  })

  it('after turn/start: the turn keeps its boundary and spends no model call', async () => {
    const { agent, session, model } = scenario([])
    const receipt = agent.followup('hi')
    session.subscribe(({ type }) => {
      if (type === 'turn/start') receipt.withdraw()
    })
    await agent.whenIdle()
    expect(story(session.events)).toEqual(['turn/start', 'turn/end completed'])
    expect(model.requests).toHaveLength(0)
    expectLawful(session)
  })

  it('while the hooks look at it: it does not enter', async () => {
    const { agent, session } = scenario(['ok'], {
      hooks: {
        preStep: (_, next) => {
          receipt.withdraw()
          return next()
        },
      },
    })
    agent.steer('stays')
    const receipt = agent.followup('goes')
    await agent.whenIdle()
    expect(users(story(session.events))).toEqual(['user stays', 'assistant ok', 'turn/end completed'])
    expect(receipt.state).toBe('returned')
    expectLawful(session)
  })
})

describe('preStep', () => {
  const rewriting: AgentHooks = {
    preStep: async (_, next) => {
      const entry = await next()
      if (entry.kind === 'reject') return entry
      const input = entry.input.map(item => ({
        ...item,
        message: { ...item.message, content: [{ type: 'text' as const, text: 'rewritten' }] },
      }))
      return { ...entry, input, added: ['and this'] }
    },
  }

  it('rewrites input and adds messages; identity stays', async () => {
    const { agent, session } = scenario(['ok'], { hooks: rewriting })
    const receipt = agent.followup('original')
    await agent.whenIdle()
    expect(users(story(session.events)).slice(0, 2)).toEqual(['user rewritten', 'plugin and this'])
    const message = session.events.find(event => event.type === 'user/message')
    expect(message?.data.message.id).toBe(receipt.id)
    expect(message?.data.inboxId).toBe(receipt.id)
    expectLawful(session)
  })

  it('a rejection ends the turn blocked, and discards the input with a receipt', async () => {
    const { agent, session, model } = scenario(['ok'], {
      hooks: {
        preStep: ({ input }, next) =>
          input.some(({ message }) => JSON.stringify(message).includes('bad'))
            ? Promise.resolve<StepEntry>({ kind: 'reject' })
            : next(),
      },
    })
    agent.inject('a note', { plugin: 'clock' })
    const receipt = agent.followup('bad')
    const outcome = await agent.prompt('good')
    expect(await receipt.settled).toBe('discarded')
    expect(outcome.text).toBe('ok')
    expect(model.requests).toHaveLength(1)
    expect(users(story(session.events))).toEqual([
      'turn/end blocked',
      'plugin a note',
      'user good',
      'assistant ok',
      'turn/end completed',
    ])
    expectLawful(session)
  })

  it('input that a hook leaves out is discarded; with nothing left, the turn is empty', async () => {
    const { agent, session, model } = scenario([], {
      hooks: { preStep: () => Promise.resolve<StepEntry>({ kind: 'enter', input: [] }) },
    })
    const outcome = await agent.prompt('hi')
    expect(outcome.reason).toEqual({ kind: 'completed' })
    expect(model.requests).toHaveLength(0)
    expect(session.events.findLast(event => event.type === 'inbox/spliced')?.data.outcome).toBe('discarded')
    expectLawful(session)
  })

  it('a failure before the commit keeps the input queued, and only a new wake drives it', async () => {
    let failing = true
    const { agent, session, errors } = scenario(['one', 'two'], {
      hooks: {
        preStep: (_, next) => (failing ? Promise.reject(new Error('hook broke')) : next()),
      },
    })
    const outcome = await agent.prompt('hi')
    expect(outcome.reason).toMatchObject({ kind: 'error', failure: { message: 'hook broke' } })
    await agent.whenIdle()
    await settle()
    expect(story(session.events)).toEqual(['turn/start', 'turn/end error UNKNOWN'])
    expect(errors).toEqual([new Error('hook broke')])
    failing = false
    expect((await agent.prompt('again')).text).toBe('two')
    expect(users(story(session.events)).filter(line => line.startsWith('user'))).toEqual([
      'user hi',
      'user again',
    ])
    expectLawful(session)
  })

  it('a hook that hangs does not hold up a cancel', async () => {
    const entered = hold()
    const { agent, session } = scenario([], {
      hooks: {
        preStep: () => {
          entered.resolve()
          return new Promise(() => undefined)
        },
      },
    })
    const receipt = agent.followup('hi')
    await entered.promise
    const { done, discarded } = agent.cancel()
    await done
    expect(discarded).toHaveLength(1)
    expect(receipt.state).toBe('discarded')
    expect(story(session.events)).toEqual(['turn/start', 'turn/end aborted user'])
    expectLawful(session)
  })

  it('nests hooks in list order', async () => {
    const order: string[] = []
    const named = (name: string): AgentHooks => ({
      preStep: async (_, next) => {
        order.push(`${name} in`)
        const entry = await next()
        order.push(`${name} out`)
        return entry
      },
    })
    const { agent } = scenario(['ok'], { hooks: [named('a'), named('b')] })
    await agent.prompt('hi')
    expect(order).toEqual(['a in', 'b in', 'b out', 'a out'])
  })
})

describe('the end of a turn', () => {
  it('turnStopping may add work', async () => {
    let asked = 0
    const { agent, session } = scenario(['one', 'two'], {
      hooks: {
        turnStopping: (_, next) =>
          asked++ === 0 ? Promise.resolve({ kind: 'continue', message: 'did you test it?' }) : next(),
      },
    })
    expect((await agent.prompt('go')).text).toBe('two')
    expect(asked).toBe(2)
    expect(users(story(session.events)).slice(1, 3)).toEqual(['assistant one', 'plugin did you test it?'])
    expectLawful(session)
  })

  it('turnStopping is asked only when nothing is queued, and input that comes meanwhile extends the turn', async () => {
    const stops: string[] = []
    const { agent, session } = scenario(
      [
        () => {
          agent.steer('first')
          return 'one'
        },
        'two',
        'three',
      ],
      {
        hooks: {
          turnStopping: (_, next) => {
            stops.push(story(session.events).findLast(line => line.startsWith('assistant')) ?? '')
            if (stops.length === 1) agent.steer('second')
            return next()
          },
        },
      },
    )
    expect(await agent.prompt('go')).toMatchObject({ turn: 0, text: 'three' })
    expect(stops).toEqual(['assistant two', 'assistant three'])
    expectLawful(session)
  })

  it('maxSteps ends a turn whose calls were answered, and the next turn goes on from there', async () => {
    const tools = [readTool('read', text => text)]
    const { agent, session } = scenario(
      [{ calls: [call('a', 'read')] }, { calls: [call('b', 'read')] }, 'done'],
      { tools, maxSteps: 2 },
    )
    expect((await agent.prompt('go')).reason).toEqual({ kind: 'max-steps' })
    expect((await agent.prompt('go on')).text).toBe('done')
    expectLawful(session)
  })
})
