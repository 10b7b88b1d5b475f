import type { ToolCallBlock } from '@agent-spine/model'
import type { EventDraft, RequestHeader } from '@agent-spine/session'
import {
  answerDrafts,
  attemptFailure,
  failedDraft,
  interruptedDrafts,
  newAttempt,
  streamAnswer,
  type Attempt,
} from './attempt.js'
import { delay } from './abort.js'
import { hookLayers, runHooks, type ErrorDecision, type RequestErrorContext } from './hooks.js'
import { userMessage } from './input.js'
import type { Loop, Step, Turn } from './loop.js'
import { durableRequest, headerDraft } from './request.js'
import { retryDelayMs } from './retry.js'

/** How often one step may make the conversation shorter and ask again. */
const maxCompactions = 3

/**
 * One step's answer: attempts until one succeeds or is given up. Every attempt ends in one batch with what follows from
 * it: the answer's message, the interrupted message of a given-up one, or the start of the next that discards it.
 */
export async function askModel(step: Step): Promise<readonly ToolCallBlock[]> {
  const { turn } = step
  const { session } = turn.loop
  let attempt: Attempt | undefined
  try {
    for (let number = 0; ; number++) {
      attempt = await startAttempt(step, number, attempt)
      const request = await durableRequest(turn)
      try {
        await streamAnswer(turn, request, attempt)
      } catch (error) {
        attempt.failure = attemptFailure(error, turn.signal)
        turn.signal.throwIfAborted()
        if (await triesAgain(step, attempt)) continue
        throw error
      }
      return commitAnswer(step, attempt)
    }
  } catch (error) {
    if (attempt !== undefined) {
      attempt.failure ??= attemptFailure(error, turn.signal)
      session.appendAll(interruptedDrafts(attempt, currentHeader(turn)))
    }
    throw error
  }
}

/** Ends the failed attempt, if there is one, in the batch that starts the next. */
async function startAttempt(
  { turn, scope }: Step,
  number: number,
  failed: Attempt | undefined,
): Promise<Attempt> {
  const next = newAttempt({ ...scope, attempt: number })
  const header = await headerDraft(turn, next.scope)
  turn.loop.session.appendAll([
    ...(failed === undefined ? [] : [failedDraft(failed)]),
    ...header,
    { type: 'attempt/start', data: next.scope },
  ])
  return next
}

function commitAnswer({ turn, scope }: Step, attempt: Attempt): readonly ToolCallBlock[] {
  const { session, callIdentity } = turn.loop
  const content = callIdentity.identify(attempt.assembler.blocks(), scope)
  const drafts = answerDrafts(attempt, content, currentHeader(turn))
  if (attempt.assembler.finish?.kind === 'max-tokens') {
    turn.cut = true
    drafts.push(...cutNotice(turn, attempt.assembler.droppedCalls()))
  }
  session.appendAll(drafts)
  return content.filter(block => block.type === 'tool-call')
}

/** Tells the model, at its next step, what became of an answer that was cut. */
function cutNotice({ loop }: Turn, dropped: readonly ToolCallBlock[]): EventDraft[] {
  const names = dropped.map(({ name }) => name || 'a call without a name').join(', ')
  const text =
    'Your previous answer was cut off by the limit on output tokens. ' +
    (dropped.length === 0
      ? 'It made no tool calls.'
      : `Its tool calls did not run: ${names}. Make them again if they are still needed.`)
  const source = { kind: 'plugin', name: 'agent-loop' } as const
  return loop.inbox.insertion('next-step', [userMessage(loop.newId(), source, text)])
}

/** Whether a failed attempt is followed by another, once that may start. */
async function triesAgain(step: Step, { scope, failure }: Attempt): Promise<boolean> {
  const { loop, signal } = step.turn
  if (failure === undefined || failure.code === 'INVARIANT_VIOLATION') return false
  const context = { ...scope, session: loop.session, signal, failure }
  if (failure.code === 'CONTEXT_OVERFLOW' && step.compactions++ < maxCompactions) {
    if (await compacts(loop, context)) return true
  }
  const decision = await runHooks(hookLayers(loop.hooks, 'requestError'), context, () => {
    const delayMs = loop.retry && retryDelayMs(loop.retry, failure, scope.attempt)
    return Promise.resolve<ErrorDecision>(
      delayMs === undefined ? { kind: 'fail' } : { kind: 'retry', delayMs },
    )
  })
  if (decision.kind === 'fail') return false
  await delay(decision.delayMs ?? 0, signal)
  return true
}

/** Whether a hook made the conversation shorter. Only a replacement on the surface counts. */
async function compacts({ session, hooks }: Loop, context: RequestErrorContext): Promise<boolean> {
  const before = session.events.length
  const claimed = await runHooks(hookLayers(hooks, 'compact'), context, () => Promise.resolve(false))
  return claimed && session.events.slice(before).some(({ surfaceOp }) => typeof surfaceOp === 'object')
}

function currentHeader({ loop }: Turn): RequestHeader {
  return loop.session.requestHeader() ?? { config: loop.config }
}
