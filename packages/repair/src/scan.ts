import type { MessageSource } from '@agent-spine/model'
import type { AttemptScope, SessionEvent, StepScope } from '@agent-spine/session'

/** A call the model asked for that has no result. */
export interface OpenCall extends StepScope {
  readonly callId: string
  /** The `assistant/message` that asked for it. */
  readonly messageSeq: number
  callSeq?: number
  skipped: boolean
  dispatched: boolean
  /** Events of this call may have been lost with the tail of the log, so their absence proves nothing. */
  doubtful: boolean
  late?: SessionEvent<'tool/late'>
}

/** A model call that was not ended. */
export interface OpenAttempt extends AttemptScope {
  readonly source: Extract<MessageSource, { kind: 'model' }>
  readonly chunks: SessionEvent<'assistant/chunk'>[]
  /** The message its chunks became. */
  message?: SessionEvent<'assistant/message'>
}

/** What a log leaves open. */
export interface OpenWork {
  turn?: number
  step?: number
  attempt?: OpenAttempt
  /** In the order the model asked. */
  readonly calls: Map<string, OpenCall>
  /** Turns that write `tool/dispatch` before every body. */
  readonly dispatchMarked: Set<number>
}

const unknownSource: OpenAttempt['source'] = { kind: 'model', provider: 'unknown', model: 'unknown' }

/** Reads a whole log once and says what is open at its end. O(events). */
export function scanOpenWork(events: readonly SessionEvent[]): OpenWork {
  const open: OpenWork = { calls: new Map(), dispatchMarked: new Set() }
  let source = unknownSource
  for (const event of events) {
    switch (event.type) {
      case 'turn/start':
        open.turn = event.data.turn
        if (event.data.dispatchMarked === true) open.dispatchMarked.add(event.data.turn)
        break
      case 'turn/end':
        delete open.turn
        delete open.step
        delete open.attempt
        break
      case 'step/start':
        open.step = event.data.step
        break
      case 'step/end':
        delete open.step
        delete open.attempt
        break
      case 'request/header': {
        const { provider, model } = event.data.header.config
        source = { kind: 'model', provider, model }
        break
      }
      case 'attempt/start':
        open.attempt = { ...event.data, source, chunks: [] }
        break
      case 'assistant/chunk':
        open.attempt?.chunks.push(event)
        break
      case 'attempt/end':
        delete open.attempt
        break
      case 'assistant/message':
        if (open.attempt !== undefined) open.attempt.message = event
        openCalls(open.calls, event)
        break
      case 'session/owner':
        if (event.data.lostTail === true) for (const call of open.calls.values()) call.doubtful = true
        break
      default:
        followCall(open.calls, event)
    }
  }
  return open
}

function openCalls(calls: Map<string, OpenCall>, event: SessionEvent<'assistant/message'>): void {
  const { turn, step, message } = event.data
  for (const block of message.content) {
    if (block.type !== 'tool-call') continue
    calls.set(block.id, {
      turn,
      step,
      callId: block.id,
      messageSeq: event.seq,
      skipped: false,
      dispatched: false,
      doubtful: false,
    })
  }
}

function followCall(calls: Map<string, OpenCall>, event: SessionEvent): void {
  switch (event.type) {
    case 'tool/call': {
      const call = calls.get(event.data.callId)
      if (call === undefined) return
      call.callSeq = event.seq
      call.skipped = event.data.skipped === true
      return
    }
    case 'tool/dispatch': {
      const call = calls.get(event.data.callId)
      if (call !== undefined) call.dispatched = true
      return
    }
    case 'tool/late': {
      // The last one holds: whatever was recorded later knew at least as much.
      const call = calls.get(answeredCall(event))
      if (call !== undefined) call.late = event
      return
    }
    case 'tool/result':
      calls.delete(answeredCall(event))
      return
    default:
  }
}

/** Which call a result speaks of; empty when its message is no tool result. */
export function answeredCall(event: SessionEvent<'tool/result' | 'tool/late'>): string {
  const { source } = event.data.message
  return source.kind === 'tool' ? source.callId : ''
}
