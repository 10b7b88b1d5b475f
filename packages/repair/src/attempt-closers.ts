import { BlockAssembler, type LlmFailure, type TokenUsage } from '@agent-spine/model'
import type { EventDraft } from '@agent-spine/session'
import type { OpenAttempt } from './scan.js'

const interruption: LlmFailure = {
  code: 'ABORTED',
  message: 'The turn was interrupted before this model call was recorded as ended.',
}

/** Turns an attempt that was not ended into its message, where its chunks show anything and it has none, and its end. */
export function attemptClosers(open: OpenAttempt): EventDraft<'assistant/message' | 'attempt/end'>[] {
  if (open.message !== undefined) {
    const { usage, interrupted } = open.message.data
    return [attemptEnd(open, usage, interrupted)]
  }
  const assembler = new BlockAssembler()
  for (const { data } of open.chunks) assembler.push(data.chunk)
  const { usage } = assembler
  const content = assembler.interruptedBlocks()
  const end = attemptEnd(open, usage, true)
  if (content.length === 0) return [end]
  const { turn, step, attempt, source } = open
  return [
    {
      type: 'assistant/message',
      data: {
        turn,
        step,
        message: { id: `assistant_${turn}_${step}_${attempt}`, role: 'assistant', source, content },
        ...(usage !== undefined && { usage }),
        interrupted: true,
      },
      surfaceOp: 'append',
      sourceEventSeqs: open.chunks.map(chunk => chunk.seq),
    },
    end,
  ]
}

function attemptEnd(
  { turn, step, attempt }: OpenAttempt,
  usage: TokenUsage | undefined,
  interrupted: true | undefined,
): EventDraft<'attempt/end'> {
  return {
    type: 'attempt/end',
    data: {
      turn,
      step,
      attempt,
      ...(interrupted === true && { failure: interruption }),
      ...(usage !== undefined && { usage }),
    },
  }
}
