import { describe, expect, it } from 'vitest'
import { call, expectLawful, hold, readTool, scenario, story, writeTool } from '../test/scenario.js'

describe('a turn', () => {
  it('answers, and tells what it came to', async () => {
    const usage = { inputTokens: 3, outputTokens: 2 }
    const { agent, session, errors } = scenario([{ text: 'hello', usage }])
    const outcome = await agent.prompt('hi')
    expect(outcome).toEqual({ turn: 0, reason: { kind: 'completed' }, text: 'hello', usage, calls: [] })
    expect(story(session.events)).toEqual([
      'turn/start',
      'step/start',
      'user hi',
      'request/header',
      'attempt/start',
      'assistant hello',
      'attempt/end ok',
      'step/end',
      'turn/end completed',
    ])
    expect(errors).toEqual([])
    expectLawful(session)
  })

  it('runs calls, and commits their results in the order the model asked', async () => {
    const slow = hold()
    const tools = [
      readTool('read', async text => {
        if (text === 'a') await slow.promise
        else slow.resolve()
        return text.toUpperCase()
      }),
      writeTool('write', text => `wrote ${text}`),
    ]
    const { agent, session } = scenario(
      [{ calls: [call('a', 'read'), call('b', 'read'), call('c', 'write')] }, 'done'],
      { tools },
    )
    const outcome = await agent.prompt('go')
    expect(outcome.text).toBe('done')
    expect(outcome.calls).toEqual([
      { callId: 'a', name: 'read' },
      { callId: 'b', name: 'read' },
      { callId: 'c', name: 'write' },
    ])
    expect(story(session.events)).toEqual([
      'turn/start',
      'step/start',
      'user go',
      'request/header',
      'attempt/start',
      'assistant [a] [b] [c]',
      'attempt/end ok',
      'call a',
      'dispatch a',
      'call b',
      'dispatch b',
      'result a A',
      'result b B',
      'call c',
      'dispatch c',
      'result c wrote c',
      'step/end',
      'step/start',
      'attempt/start',
      'assistant done',
      'attempt/end ok',
      'step/end',
      'turn/end completed',
    ])
    expectLawful(session)
  })
})
