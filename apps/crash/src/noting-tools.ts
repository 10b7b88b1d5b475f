import { setImmediate, setTimeout } from 'node:timers/promises'
import { createToolRuntime, defineTool, type ToolRuntime } from '@agent-spine/tools'
import type { Witness } from './evidence.js'
import { drawCount, type Random } from './random.js'

/** Tools whose one effect is a line in a file, witnessed before and after. */
export function notingTools(witness: Witness, random: Random): ToolRuntime {
  async function note(callId: string, signal: AbortSignal): Promise<string> {
    witness.enter('body')
    witness.recordDurably({ kind: 'begin', callId })
    await pause()
    // A body that was told to stop may go on: what it did then is what the log must tell.
    if (signal.aborted && random() < 0.5) signal.throwIfAborted()
    witness.effect(callId)
    await pause()
    witness.recordDurably({ kind: 'end', callId })
    return `noted ${callId}`
  }

  function pause(): Promise<unknown> {
    return random() < 0.5 ? setImmediate() : setTimeout(drawCount(random, 0, 4))
  }

  const parameters = { text: { type: 'string', required: true } } as const
  return createToolRuntime({
    tools: [
      defineTool({
        name: 'note',
        description: 'Notes something, beside other calls.',
        parameters,
        output: { type: 'string' },
        isConcurrencySafe: () => true,
        execute: (_, { callId, signal }) => note(callId, signal),
      }),
      defineTool({
        name: 'note_alone',
        description: 'Notes something while nothing else runs.',
        parameters,
        output: { type: 'string' },
        execute: (_, { callId, signal }) => note(callId, signal),
      }),
      defineTool({
        name: 'fail',
        description: 'Notes something, and fails.',
        parameters,
        isConcurrencySafe: () => true,
        execute: async (_, { callId, signal }) => {
          await note(callId, signal)
          throw new Error('it broke afterwards')
        },
      }),
    ],
  })
}
