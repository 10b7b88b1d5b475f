import type { UserBlock, UserMessage } from '@agent-spine/model'
import type { EventDraft } from '@agent-spine/session'
import { userMessage } from './input.js'
import type { Loop } from './loop.js'

/** What the calls of one batch say to the model beside their results. It waits for the next step that anyone drives. */
export interface BatchContexts {
  readonly add: (callId: string, content: string | readonly UserBlock[]) => void
  /** Answers the call with `append`, whose batch takes the edits along. What the call says after that is queued at once. */
  readonly answer: (callId: string, append: (edits: readonly EventDraft[]) => void) => void
  /** Queues what is left of calls that got no answer. */
  readonly flush: () => void
}

export function batchContexts(loop: Loop, toolName: (callId: string) => string): BatchContexts {
  const { inbox } = loop
  const waiting = new Map<string, UserMessage[]>()
  const answered = new Set<string>()

  function take(callId: string): UserMessage[] {
    const messages = waiting.get(callId) ?? []
    waiting.delete(callId)
    return messages
  }

  return {
    add(callId, content) {
      try {
        const source = { kind: 'plugin', name: `tool:${toolName(callId)}` } as const
        const message = userMessage(loop.newId(), source, content)
        if (answered.has(callId)) inbox.apply(inbox.insertion('next-step', [message]))
        else waiting.set(callId, [...(waiting.get(callId) ?? []), message])
      } catch (error) {
        // What cannot be queued must not take the call's result with it.
        loop.emit({ type: 'error', error })
      }
    },
    answer(callId, append) {
      const messages = take(callId)
      answered.add(callId)
      try {
        append(inbox.insertion('next-step', messages))
      } catch (error) {
        waiting.set(callId, messages)
        throw error
      }
    },
    flush() {
      inbox.apply(inbox.insertion('next-step', [...waiting.keys()].flatMap(take)))
    },
  }
}
