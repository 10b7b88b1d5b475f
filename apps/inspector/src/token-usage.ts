import type { TokenUsage } from '@agent-spine/model'
import type { SessionEvent } from '@agent-spine/session'

/** What the model calls of one step used. */
export interface StepUsage {
  readonly turn: number
  readonly step: number
  readonly attempts: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
  readonly reasoningTokens: number
  /** Whether any of its model calls said what it used. */
  readonly isKnown: boolean
  readonly seq: number
}

/**
 * Usage per step, in log order. A model call is counted once: by its `attempt/end`, or where that does not say, by the
 * last `usage` chunk of its stream, or by its message.
 */
export function stepUsage(events: readonly SessionEvent[]): readonly StepUsage[] {
  const steps = new Map<string, StepUsage>()
  let streamed: TokenUsage | undefined
  let stated: TokenUsage | undefined

  function add(scope: { turn: number; step: number }, seq: number, usage: TokenUsage | undefined): void {
    const { turn, step } = scope
    const known = steps.get(`${turn}/${step}`) ?? noUsage(turn, step, seq)
    steps.set(`${turn}/${step}`, {
      ...known,
      attempts: known.attempts + 1,
      inputTokens: known.inputTokens + (usage?.inputTokens ?? 0),
      outputTokens: known.outputTokens + (usage?.outputTokens ?? 0),
      cacheReadTokens: known.cacheReadTokens + (usage?.cacheReadTokens ?? 0),
      cacheWriteTokens: known.cacheWriteTokens + (usage?.cacheWriteTokens ?? 0),
      reasoningTokens: known.reasoningTokens + (usage?.reasoningTokens ?? 0),
      isKnown: known.isKnown || usage !== undefined,
    })
  }

  for (const event of events) {
    if (event.type === 'attempt/start') {
      streamed = undefined
      stated = undefined
    } else if (event.type === 'assistant/chunk') {
      if (event.data.chunk.type === 'usage') streamed = event.data.chunk.usage
    } else if (event.type === 'assistant/message') {
      stated = event.data.usage
    } else if (event.type === 'attempt/end') {
      add(event.data, event.seq, event.data.usage ?? streamed ?? stated)
    }
  }
  return [...steps.values()]
}

/** All tokens of a step. The five counts are disjoint. */
export function totalTokens(usage: StepUsage): number {
  return (
    usage.inputTokens +
    usage.outputTokens +
    usage.cacheReadTokens +
    usage.cacheWriteTokens +
    usage.reasoningTokens
  )
}

function noUsage(turn: number, step: number, seq: number): StepUsage {
  const none = {
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
  }
  return { turn, step, attempts: 0, ...none, isKnown: false, seq }
}
