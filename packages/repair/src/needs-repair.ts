import type { SessionEvent } from '@agent-spine/session'
import { answeredCall } from './scan.js'

/**
 * Whether {@link interruptedTurnClosers} would add anything to this log. Reads from the end, and only as far as the last
 * turn boundary and the last answer of the model: a session lets nothing but results follow an unanswered call, so what
 * lies before them is closed. For a log that some session accepted; `auditLog` tells whether one would.
 */
export function needsRepair(events: readonly SessionEvent[]): boolean {
  const answered = new Set<string>()
  let turnClosed = false
  let callsAnswered = false
  for (let index = events.length - 1; index >= 0; index--) {
    const event = events[index]
    switch (event?.type) {
      case 'turn/end':
        turnClosed = true
        break
      case 'turn/start':
      case 'step/start':
      case 'step/end':
      case 'attempt/start':
      case 'attempt/end':
      case 'assistant/chunk':
        if (!turnClosed) return true
        break
      case 'tool/result':
        answered.add(answeredCall(event))
        break
      case 'assistant/message':
        if (event.data.message.content.some(isUnanswered)) return true
        callsAnswered = true
        break
      default:
    }
    if (turnClosed && callsAnswered) return false
  }
  return false

  function isUnanswered(block: { readonly type: string; readonly id?: string }): boolean {
    return block.type === 'tool-call' && !answered.has(block.id ?? '')
  }
}
