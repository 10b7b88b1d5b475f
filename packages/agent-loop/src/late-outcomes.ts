import { TOOL_NOT_STARTED, unrunError, unrunResult, type UserMessage } from '@agent-spine/model'
import type { FailureReport } from '@agent-spine/scheduler'
import type { EventDraft, ToolResultData } from '@agent-spine/session'
import type { BoundTools, ToolCall, ToolExecution, ToolOutcome, ToolSettled } from '@agent-spine/tools'
import { inputBlocks } from './input.js'
import type { BatchContexts } from './batch-contexts.js'
import type { Step } from './loop.js'
import { resultData, type ToolJournal } from './tool-result.js'

type Report = FailureReport<ToolCall, ToolExecution, ToolSettled, ToolOutcome>

/** What the batch shares with this half of its journal. */
export interface LateParts {
  readonly stages: BoundTools
  readonly contexts: BatchContexts
  /** The calls whose `tool/dispatch` is durable: only their bodies can have run. */
  readonly pastTheSeam: ReadonlySet<string>
}

/**
 * The half of a batch's journal that speaks when it is too late for a result: `tool/late` events, off the surface.
 *
 * L1. The truth about a call that was answered on a guess passes its stage, is appended, and is told to the model at the
 *     next step.
 * L2. After a failure, the outcomes of drained bodies are appended, and repair makes them results. One whose own policy
 *     stage is what failed is withheld: repair calls it unknown.
 * L3. A call that never reached its body is recorded as never started.
 */
export function lateOutcomes(step: Step, parts: LateParts): Required<Pick<ToolJournal, 'late' | 'failed'>> {
  const { turn, scope } = step
  const { loop } = turn
  const { session, inbox } = loop
  const { stages, contexts, pastTheSeam } = parts

  return {
    async late(call, execution, { kind, settled }) {
      try {
        const outcome = await passStage(stages, kind, { execution, settled })
        const answered = isAnswered(call.callId)
        session.appendAll([
          lateDraft(resultData(scope, call.callId, outcome)),
          ...(answered ? inbox.insertion('next-step', [lateNotice(call, outcome)]) : []),
        ])
        contexts.flush()
      } catch (error) {
        loop.emit({ type: 'error', error })
      }
    },
    async failed(report) {
      for (const item of report.settled) {
        const outcome = await drainedOutcome(item)
        if (outcome !== undefined) {
          session.append('tool/late', resultData(scope, item.call.callId, outcome))
        }
      }
      for (const callId of neverRan(report)) session.appendAll([notStartedDraft(callId)])
    },
  }

  async function drainedOutcome(item: Report['settled'][number]): Promise<ToolOutcome | undefined> {
    if (item.result !== undefined) return item.result
    const { kind, execution, settled, failedStage } = item
    if (failedStage !== undefined) return settled.ran ? undefined : settled.outcome
    try {
      return await passStage(stages, kind, { execution, settled })
    } catch {
      return undefined
    }
  }

  function neverRan({ rejected, notDispatched }: Report): string[] {
    const stopped = rejected.filter(({ call }) => !pastTheSeam.has(call.callId))
    return [...stopped, ...notDispatched].map(({ call }) => call.callId)
  }

  function notStartedDraft(callId: string): EventDraft<'tool/late'> {
    const message = unrunResult(callId, TOOL_NOT_STARTED)
    return lateDraft({ ...scope, message, error: unrunError(TOOL_NOT_STARTED) })
  }

  function isAnswered(callId: string): boolean {
    return session.events.findLast(event => answers(event.type, event.data, callId)) !== undefined
  }

  function lateNotice({ callId, name }: ToolCall, outcome: ToolOutcome): UserMessage {
    const text = `The call ${callId} of ${name}, answered before without its real outcome, has settled. Its real outcome:`
    return {
      id: loop.newId(),
      role: 'user',
      source: { kind: 'plugin', name: 'agent-loop' },
      content: inputBlocks([{ type: 'text', text }, ...outcome.content]),
    }
  }
}

function passStage(
  stages: BoundTools,
  kind: 'post-result' | 'final-result',
  { execution, settled }: { readonly execution: ToolExecution; readonly settled: ToolSettled },
): ToolOutcome | PromiseLike<ToolOutcome> {
  return kind === 'post-result' ? stages.finalize(execution, settled) : stages.finish(execution, settled)
}

function lateDraft(data: ToolResultData): EventDraft<'tool/late'> {
  return { type: 'tool/late', data }
}

function answers(type: string, data: unknown, callId: string): boolean {
  if (type !== 'tool/result') return false
  const { source } = (data as ToolResultData).message
  return source.kind === 'tool' && source.callId === callId
}
