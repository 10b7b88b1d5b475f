import {
  TOOL_ABORTED,
  TOOL_ABORTED_BEFORE_DISPATCH,
  TOOL_OUTCOME_UNKNOWN,
  TOOL_TIMEOUT,
} from '@agent-spine/model'
import { type Dispatched } from '@agent-spine/scheduler'
import { type ToolSettled } from './execution.js'
import { errorOutcome, thrownOutcome, unrunOutcome } from './outcome.js'
import { isAbortOf } from './thrown.js'
import { type Tool } from './tool.js'

/** What hooks and body came to. */
export type Settlement = { readonly value: unknown } | { readonly error: unknown }

/** What was true of a run when it settled. */
export interface Circumstances {
  readonly tool: Tool
  /** Whether the body was started. */
  readonly reached: boolean
  /** The reason with which the time limit stopped the body, if it did. */
  readonly timeUp: DOMException | undefined
  readonly caller: AbortSignal
  /** What told the body to stop, if anything did. */
  readonly stop: { readonly reason: unknown }
}

/** The reason with which a time limit stops a body. */
export function timeUp(timeoutMs = Infinity): DOMException {
  return new DOMException(`the tool ran past its limit of ${timeoutMs} ms`, 'TimeoutError')
}

/** Never ran, and never will. */
export function neverRan(): Dispatched<ToolSettled> {
  return {
    kind: 'final-result',
    settled: { outcome: unrunOutcome(TOOL_ABORTED_BEFORE_DISPATCH), ran: false },
  }
}

/** Was started; may have done anything, and may still. */
export function outcomeUnknown(): Dispatched<ToolSettled> {
  return { kind: 'final-result', settled: { outcome: unrunOutcome(TOOL_OUTCOME_UNKNOWN), ran: true } }
}

/** Turns what hooks and body came to into what dispatch answers. Never throws. */
export function settledAs(settlement: Settlement, circumstances: Circumstances): Dispatched<ToolSettled> {
  const { tool, reached, timeUp, caller, stop } = circumstances
  if ('value' in settlement) return succeeded(tool, settlement.value)
  const stopped = isAbortOf(settlement.error, stop.reason)
  if (stopped && timeUp !== undefined && stop.reason === timeUp)
    return { kind: 'post-result', settled: timedOut(timeUp) }
  if (stopped && caller.aborted) return reached ? aborted() : neverRan()
  return { kind: 'post-result', settled: { outcome: thrownOutcome(settlement.error), ran: reached } }
}

function succeeded(tool: Tool, value: unknown): Dispatched<ToolSettled> {
  try {
    return { kind: 'post-result', settled: { outcome: Object.freeze(tool.render(value)), ran: true } }
  } catch (error) {
    return { kind: 'post-result', settled: { outcome: thrownOutcome(error), ran: true } }
  }
}

function timedOut(timeUp: DOMException): ToolSettled {
  return {
    outcome: errorOutcome(
      { name: 'ToolError', code: TOOL_TIMEOUT },
      `This call was stopped: ${timeUp.message}. It may have done part of its work; check before you repeat it.`,
    ),
    ran: true,
  }
}

function aborted(): Dispatched<ToolSettled> {
  return {
    kind: 'final-result',
    settled: {
      outcome: errorOutcome(
        { name: 'AbortError', code: TOOL_ABORTED },
        'This call was cancelled while it ran, and stopped. It may have done part of its work.',
      ),
      ran: true,
    },
  }
}
