import { TOOL_ABORTED_BEFORE_DISPATCH, unrunError, unrunResult, type ToolCallBlock } from '@agent-spine/model'
import { runStagedCalls } from '@agent-spine/scheduler'
import type { EventDraft, ToolCallData } from '@agent-spine/session'
import type { ToolCall } from '@agent-spine/tools'
import { batchContexts } from './batch-contexts.js'
import { lateOutcomes } from './late-outcomes.js'
import type { Step } from './loop.js'
import { logSubCall } from './sub-call-log.js'
import { resultData, type ToolJournal } from './tool-result.js'

/**
 * Runs the calls of one answer, and writes down what happens to them.
 *
 * B1. `tool/call` when a call starts; `tool/dispatch`, durable, before its body; then exactly one `tool/result`.
 * B2. Results are appended in the order the model asked. A call that never started gets its pair in its place.
 * B3. What a call says to the model beside its result is queued in the batch that commits the result: it enters the
 *     conversation at the next step that anyone drives, and never between a call and its result.
 * B4. After a failure of the harness nothing is invented; what is really known is appended off the surface.
 *
 * Resolves with whether a call asked for the turn to end.
 */
export async function runToolBatch(step: Step, blocks: readonly ToolCallBlock[]): Promise<boolean> {
  const { turn, scope } = step
  const { loop, signal } = turn
  const { session } = loop
  const providerIds = new Map(blocks.map(({ id, providerId }) => [id, providerId]))
  const callSeqs = new Map<string, number>()
  const contexts = batchContexts(loop, callId => blocks.find(({ id }) => id === callId)?.name ?? callId)
  const pastTheSeam = new Set<string>()
  let concluded = false

  const stages = loop.tools.bind({
    async beforeBody(callId) {
      session.append('tool/dispatch', { callId })
      await session.flush()
      pastTheSeam.add(callId)
    },
    ...(loop.abortGraceMs !== undefined && { abortGraceMs: loop.abortGraceMs }),
    subCall: event => logSubCall(step, event),
    progress: (callId, update) => loop.emit({ type: 'tool-progress', callId, update }),
    context: contexts.add,
    concludeTurn: () => {
      concluded = true
    },
  })
  const late = lateOutcomes(step, { stages, contexts, pastTheSeam })
  const journal: ToolJournal = {
    started(call) {
      callSeqs.set(call.callId, session.append('tool/call', callData(call)).seq)
    },
    committed({ callId }, outcome) {
      const cited = callSeqs.get(callId)
      const result: EventDraft<'tool/result'> = {
        type: 'tool/result',
        data: resultData(scope, callId, outcome),
        surfaceOp: 'append',
        ...(cited !== undefined && { sourceEventSeqs: [cited] }),
      }
      contexts.answer(callId, edits => session.appendAll([result, ...edits]))
    },
    skipped(call) {
      const message = unrunResult(call.callId, TOOL_ABORTED_BEFORE_DISPATCH)
      session.appendAll([
        { type: 'tool/call', data: { ...callData(call), skipped: true } },
        {
          type: 'tool/result',
          data: { ...scope, message, error: unrunError(TOOL_ABORTED_BEFORE_DISPATCH) },
          surfaceOp: 'append',
          sourceEventSeqs: [session.events.length],
        },
      ])
    },
    ...late,
  }

  const calls = blocks.map(({ id, name, arguments: raw }) => ({ callId: id, name, arguments: raw }))
  try {
    await runStagedCalls(calls, stages, journal, {
      signal,
      maxParallel: loop.maxParallelToolCalls,
      abortGraceMs: loop.abortGraceMs,
    })
  } finally {
    contexts.flush()
  }
  return concluded

  function callData({ callId, name, arguments: raw }: ToolCall): ToolCallData {
    const providerId = providerIds.get(callId)
    return { ...scope, callId, ...(providerId !== undefined && { providerId }), name, arguments: raw }
  }
}
