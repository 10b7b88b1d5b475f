import {
  TOOL_ABORTED_BEFORE_DISPATCH,
  TOOL_NOT_STARTED,
  TOOL_OUTCOME_UNKNOWN,
  unrunError,
  unrunResult,
  type UnrunCode,
} from '@agent-spine/model'
import type { EventDraft, SessionEvent } from '@agent-spine/session'
import { attemptClosers } from './attempt-closers.js'
import { scanOpenWork, type OpenCall, type OpenWork } from './scan.js'

type ClosingType = 'tool/result' | 'assistant/message' | 'attempt/end' | 'step/end' | 'turn/end'

/** An event that repair adds: a draft for `session.appendAll`, with the time that {@link repairLog} gives it. */
export type ClosingEvent = EventDraft<ClosingType> & { readonly closer: true; readonly time: number }

/**
 * The events that close whatever `events` leaves open, in the order to append them; empty when nothing is open.
 *
 * R1. Pure and deterministic: ids derive from the log, times repeat the last event's, nothing else is read.
 * R2. Idempotent: a log with its closers leaves nothing open.
 * R3. Every call without a result gets exactly one, in the order the model asked, whatever turn it is in.
 * R4. A recorded `tool/late` outcome becomes the result. Otherwise a skipped call was cancelled before it ran.
 * R5. A call counts as never started only where the log proves it: it has no `tool/call`, or its turn marks dispatches
 *     and it has no `tool/dispatch`; and it was not open when a tail was lost. Any other outcome is unknown.
 * R6. The visible prefix of an attempt that was neither ended nor assembled becomes an `interrupted` message, without
 *     calls, citing the attempt's chunks. Attempts that were ended are left as they are.
 * R7. Then the attempt, the step and the turn are ended, where open.
 *
 * Hand them to `session.appendAll` as one batch. O(events); {@link needsRepair} is the cheap question to ask first.
 */
export function interruptedTurnClosers(events: readonly SessionEvent[]): ClosingEvent[] {
  const open = scanOpenWork(events)
  const time = events.at(-1)?.time ?? 0
  const drafts: EventDraft<ClosingType>[] = []
  for (const call of open.calls.values()) drafts.push(resultOf(call, open.dispatchMarked.has(call.turn)))
  if (open.attempt !== undefined) drafts.push(...attemptClosers(open.attempt))
  drafts.push(...boundaryClosers(open))
  return drafts.map(draft => ({ time, ...draft, closer: true }))
}

/** The log with its closers. A new array; the events that were there are shared. */
export function repairLog(events: readonly SessionEvent[]): SessionEvent[] {
  const nextSeq = (events.at(-1)?.seq ?? -1) + 1
  const closers = interruptedTurnClosers(events)
  return [...events, ...closers.map((closer, index) => ({ seq: nextSeq + index, ...closer }))]
}

function resultOf(call: OpenCall, dispatchMarked: boolean): EventDraft<'tool/result'> {
  const cited = call.callSeq ?? call.messageSeq
  const { turn, step, callId, late } = call
  if (late !== undefined) {
    return {
      type: 'tool/result',
      data: late.data,
      surfaceOp: 'append',
      sourceEventSeqs: [cited, late.seq],
    }
  }
  const code = unrunCode(call, dispatchMarked)
  return {
    type: 'tool/result',
    data: { turn, step, message: unrunResult(callId, code), error: unrunError(code) },
    surfaceOp: 'append',
    sourceEventSeqs: [cited],
  }
}

function unrunCode(call: OpenCall, dispatchMarked: boolean): UnrunCode {
  if (call.skipped) return TOOL_ABORTED_BEFORE_DISPATCH
  if (call.doubtful) return TOOL_OUTCOME_UNKNOWN
  const neverStarted = call.callSeq === undefined || (dispatchMarked && !call.dispatched)
  return neverStarted ? TOOL_NOT_STARTED : TOOL_OUTCOME_UNKNOWN
}

function boundaryClosers({ turn, step }: OpenWork): EventDraft<ClosingType>[] {
  if (turn === undefined) return []
  const turnEnd: EventDraft<'turn/end'> = {
    type: 'turn/end',
    data: { turn, reason: { kind: 'interrupted' } },
  }
  return step === undefined ? [turnEnd] : [{ type: 'step/end', data: { turn, step } }, turnEnd]
}
