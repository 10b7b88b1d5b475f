import { type ContentBlock } from '@agent-spine/model'
import { type SessionEvent, type TurnEndReason } from '@agent-spine/session'
import { type ExitCode } from '../command-error.js'

/** What a run tells whoever watches it: one line each with `--json`. `seq` is the event of the log it speaks of. */
export type RunEvent =
  | {
      readonly type: 'session'
      readonly id: string
      readonly file: string
      readonly workspace: string
      readonly model: string
      readonly baseUrl?: string
    }
  /** A model call failed and is tried again; the `text` of its answer so far does not count. */
  | {
      readonly type: 'retry'
      readonly retry: number
      readonly maxRetries: number
      readonly delayMs: number
      readonly code: string
      readonly message: string
      readonly status?: number
    }
  /** The provider did not take something, or sent what has no place in the log; each is told once. */
  | {
      readonly type: 'warning'
      readonly kind: 'unsupported' | 'left-out' | 'other'
      readonly message: string
    }
  /** What a crash had left open is closed: this many events were added. */
  | { readonly type: 'repaired'; readonly events: number }
  | (FromLog & { readonly type: 'user'; readonly text: string })
  | (FromLog & { readonly type: 'text'; readonly text: string })
  | (FromLog & {
      readonly type: 'answer'
      readonly text: string
      readonly calls: readonly string[]
      readonly interrupted?: true
    })
  | (FromLog & CallEvent)
  | { readonly type: 'call-settled'; readonly callId: string; readonly time: number }
  | (FromLog & { readonly type: 'queue'; readonly added: number; readonly removed: number })
  | (FromLog & { readonly type: 'turn-end'; readonly turn: number; readonly reason: TurnEndReason })
  | { readonly type: 'error'; readonly code: string; readonly message: string; readonly hint?: string }
  | RunSummary

interface FromLog {
  readonly seq: number
  /** Milliseconds since 1970. */
  readonly time: number
}

/** A call's way: asked (or skipped), dispatched, settled, committed. Only between dispatched and settled its body runs. */
type CallEvent =
  | {
      readonly type: 'call' | 'call-skipped'
      readonly callId: string
      readonly name: string
      readonly arguments: string
    }
  | { readonly type: 'call-dispatched'; readonly callId: string }
  | {
      readonly type: 'call-result'
      readonly callId: string
      readonly text: string
      readonly isError?: true
      readonly code?: string
    }

/** The last line of a run. */
export interface RunSummary {
  readonly type: 'summary'
  readonly ok: boolean
  readonly exitCode: ExitCode
  readonly session?: string
  readonly file?: string
  readonly workspace?: string
  readonly reason?: TurnEndReason['kind']
  readonly text?: string
  readonly calls?: readonly { readonly name: string; readonly isError?: true; readonly code?: string }[]
  readonly code?: string
  readonly message?: string
  readonly hint?: string
}

/** What a watcher is told of an event of the log, if anything. */
export function runEvent(event: SessionEvent): RunEvent | undefined {
  const { seq, time } = event
  switch (event.type) {
    case 'user/message':
      return { type: 'user', seq, time, text: textOf(event.data.message.content) }
    case 'assistant/chunk': {
      const { chunk } = event.data
      return chunk.type === 'text-delta' ? { type: 'text', seq, time, text: chunk.text } : undefined
    }
    case 'assistant/message': {
      const { content } = event.data.message
      const calls = content.flatMap(block => (block.type === 'tool-call' ? [block.id] : []))
      const { interrupted } = event.data
      return { type: 'answer', seq, time, text: textOf(content), calls, ...(interrupted && { interrupted }) }
    }
    case 'tool/call': {
      const { callId, name, skipped } = event.data
      return {
        type: skipped ? 'call-skipped' : 'call',
        seq,
        time,
        callId,
        name,
        arguments: event.data.arguments,
      }
    }
    case 'tool/dispatch':
      return { type: 'call-dispatched', seq, time, callId: event.data.callId }
    case 'tool/result': {
      const [block] = event.data.message.content
      if (block?.type !== 'tool-result') return undefined
      const code = event.data.error?.code
      return {
        ...{ type: 'call-result', seq, time, callId: block.toolCallId, text: textOf(block.content) },
        ...(block.isError && { isError: true }),
        ...(code !== undefined && { code }),
      }
    }
    case 'inbox/spliced':
      return {
        type: 'queue',
        seq,
        time,
        added: event.data.inserted.length,
        removed: event.data.removed.length,
      }
    case 'turn/end':
      return { type: 'turn-end', seq, time, turn: event.data.turn, reason: event.data.reason }
    default:
      return undefined
  }
}

function textOf(content: readonly ContentBlock[]): string {
  return content.map(block => (block.type === 'text' ? block.text : '')).join('')
}
