import { LlmError, type ModelRequest, type StreamChunk } from '@agent-spine/model'
import type { ScriptedAnswer } from '@agent-spine/model/testing'
import { defineTool, type Tool } from '@agent-spine/tools'
import type { AgentHooks, RetryPolicy } from '../src/index.js'
import { call, readTool, writeTool } from './scenario.js'

/** One kind of turn. Its input is `go`; whatever else the model is asked, it answers in one step. */
export interface ScriptedTurn {
  readonly name: string
  /** The answer to `go`, for the n-th time. */
  readonly answer: (time: number) => ScriptedAnswer | AsyncIterable<StreamChunk>
  /** Steered while the turn runs. */
  readonly steers?: true
  readonly hooks?: AgentHooks
  readonly retry?: RetryPolicy
}

export const scriptedTurns: readonly ScriptedTurn[] = [
  { name: 'text only', answer: () => 'a text of more than one piece' },
  { name: 'reasoning', answer: reasoned },
  { name: 'one call', answer: () => ({ text: 'on it', calls: [call('a', 'read')] }) },
  {
    name: 'four calls with a barrier',
    answer: () => ({ calls: [call('a', 'read'), call('b', 'read'), call('c', 'write'), call('d', 'read')] }),
  },
  { name: 'sub-calls', answer: () => ({ calls: [call('a', 'outer'), call('b', 'read')] }) },
  { name: 'steering', answer: () => ({ text: 'on it', calls: [call('a', 'read')] }), steers: true },
  {
    name: 'retry',
    answer: time => (time < 2 ? overloaded() : { text: 'at last', calls: [call('a', 'read')] }),
    retry: { maxRetries: 2, baseDelayMs: 0 },
  },
  {
    name: 'max-tokens',
    answer: () => ({ text: 'cut', calls: [call('a', 'read')], finish: { kind: 'max-tokens' } }),
    steers: true,
  },
  {
    name: 'blocked',
    answer: () => 'never asked',
    hooks: {
      async preStep({ input }, next) {
        await Promise.resolve()
        return JSON.stringify(input).includes('"go"') ? { kind: 'reject' } : next()
      },
    },
  },
  { name: 'deferred contexts', answer: () => ({ calls: [call('a', 'note'), call('b', 'note')] }) },
]

async function* reasoned(): AsyncIterable<StreamChunk> {
  yield { type: 'reasoning-delta', index: 0, text: 'if so' }
  yield { type: 'block-end', index: 0, replay: { signature: 's' } }
  yield { type: 'reasoning-delta', index: 1, text: 'then' }
  await Promise.resolve()
  yield { type: 'text-delta', index: 2, text: 'therefore' }
  yield { type: 'finish', reason: { kind: 'stop' } }
}

async function* overloaded(): AsyncIterable<StreamChunk> {
  yield { type: 'text-delta', index: 0, text: 'par' }
  await Promise.resolve()
  throw new LlmError('OVERLOADED', 'busy', { status: 529 })
}

/** A script that answers `go` as the turn has it, and anything else at once. */
export function answersOf({ answer }: ScriptedTurn): ScriptedAnswer[] {
  let time = 0
  return Array.from({ length: 16 }, () => ({ messages }: ModelRequest) => {
    const [block] = messages.at(-1)?.content ?? []
    return block?.type === 'text' && block.text === 'go' ? answer(time++) : 'ok'
  })
}

/** Fresh for every run: nothing that one leaves running may touch another. */
export function scriptedTools(): Tool[] {
  const later = async (text: string): Promise<string> => {
    await Promise.resolve()
    return text
  }
  return [
    readTool('read', later),
    writeTool('write', later),
    defineTool({
      name: 'outer',
      description: 'calls other tools',
      parameters: { text: { type: 'string' } },
      output: { type: 'string' },
      isConcurrencySafe: () => true,
      execute: async (_, { callTools }) => {
        const inner = ['read', 'read', 'write', 'note'].map(name => ({ name, arguments: { text: name } }))
        return `${(await callTools(inner)).length} answers`
      },
    }),
    defineTool({
      name: 'note',
      description: 'notes',
      parameters: { text: { type: 'string' } },
      output: { type: 'string' },
      isConcurrencySafe: () => true,
      execute: async ({ text }, { deferContext }) => {
        deferContext(`about ${text ?? ''}`)
        return later('noted')
      },
    }),
  ]
}
