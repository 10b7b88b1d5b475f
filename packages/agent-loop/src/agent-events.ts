import type { Message, StreamChunk, UserMessage } from '@agent-spine/model'
import type { JsonValue } from '@agent-spine/schema'
import type { AttemptScope, InboxSplice, SessionEvent, ToolCallData } from '@agent-spine/session'
import type { DriverState } from './phase.js'
import { turnOutcome, type TurnOutcome } from './turn-outcome.js'

/** What an agent is doing. */
export type AgentStatus = DriverState['phase']

/** What an agent tells its listeners. What stands in the log is told after it was appended. */
export type AgentEvent =
  | { readonly type: 'status'; readonly status: AgentStatus }
  /** A turn failed, or a listener threw, or the log refused an event. Told once for each. */
  | { readonly type: 'error'; readonly error: unknown }
  | (AttemptScope & { readonly type: 'chunk'; readonly chunk: StreamChunk })
  /** A message of the user, the model or a plugin joined the conversation. */
  | {
      readonly type: 'message'
      readonly message: Message
      /** A partial answer, kept because its stream did not finish. */
      readonly interrupted?: true
    }
  | { readonly type: 'tool-start'; readonly call: ToolCallData }
  | { readonly type: 'tool-progress'; readonly callId: string; readonly update: JsonValue }
  | {
      readonly type: 'tool-end'
      readonly callId: string
      /** The result message. */
      readonly message: UserMessage
      readonly error?: { readonly name: string; readonly code?: string }
      /** The outcome came after the call had been answered, or given up. */
      readonly late?: true
    }
  | { readonly type: 'turn-end'; readonly outcome: TurnOutcome }
  /** The queue of input changed. */
  | { readonly type: 'inbox'; readonly splice: InboxSplice }
  /** Only from `events()`: its reader was too slow, and this many events were dropped here. */
  | { readonly type: 'lagged'; readonly dropped: number }

/** What listeners are told of an event of the log, if anything. */
export function agentEvent(event: SessionEvent, events: readonly SessionEvent[]): AgentEvent | undefined {
  switch (event.type) {
    case 'assistant/chunk':
      return { type: 'chunk', ...event.data }
    case 'assistant/message': {
      const { message, interrupted } = event.data
      return { type: 'message', message, ...(interrupted && { interrupted }) }
    }
    case 'user/message':
      return { type: 'message', message: event.data.message }
    case 'tool/call':
      return event.data.skipped ? undefined : { type: 'tool-start', call: event.data }
    case 'tool/result':
    case 'tool/late': {
      const { message, error } = event.data
      return {
        type: 'tool-end',
        callId: message.source.kind === 'tool' ? message.source.callId : '',
        message,
        ...(error !== undefined && { error }),
        ...(event.type === 'tool/late' && { late: true }),
      }
    }
    case 'turn/end':
      return { type: 'turn-end', outcome: turnOutcome(events, event.seq) }
    case 'inbox/spliced':
      return { type: 'inbox', splice: event.data }
    default:
      return undefined
  }
}
