import type { UserMessage } from '@agent-spine/model'
import type { EventDraft, QueuedInput } from '@agent-spine/session'
import { askModel } from './ask-model.js'
import { hookLayers, runHooks, type StepEntry } from './hooks.js'
import { isFromUser } from './inbox.js'
import { inputBlocks, userMessage } from './input.js'
import type { Step } from './loop.js'
import { runToolBatch } from './tool-batch.js'

/** What a step needs to be worth a model call: the user's input, any input, or nothing, as it answers tool calls. */
export type StepNeed = 'user-input' | 'any-input' | 'nothing'

/** `empty`: what the step was for is gone. `blocked`: a hook refused it. Neither has appended `step/start`. */
export type StepEntered = 'entered' | 'empty' | 'blocked'

/**
 * Lets a step begin: looks at the queued input, asks the `preStep` hooks, and takes the input in the one batch that also
 * starts the step. What was withdrawn or cancelled while the hooks ran does not enter.
 */
export async function enterStep(step: Step, need: StepNeed): Promise<StepEntered> {
  const { turn, scope } = step
  const { loop, signal, looked } = turn
  const { session, inbox } = loop
  const input = inbox.look(scope.step)
  for (const { inboxId } of input) looked.add(inboxId)
  if (!meets(need, input)) return gone(step)

  const context = { ...scope, session, signal, input }
  const entry = await runHooks(hookLayers(loop.hooks, 'preStep'), context, () =>
    Promise.resolve<StepEntry>({ kind: 'enter', input }),
  )
  signal.throwIfAborted()
  // Only what this step looked at, and what is still queued: more may have come, or gone, while the hooks ran.
  const queued = inbox.look(scope.step).filter(({ inboxId }) => input.some(item => item.inboxId === inboxId))
  if (entry.kind === 'reject') {
    const refused = new Set(queued.filter(isFromUser))
    inbox.apply(inbox.removal(item => (refused.has(item) ? 'discarded' : undefined)))
    turn.tookInput = true
    return 'blocked'
  }
  const rewritten = new Map(entry.input.map(item => [item.inboxId, item.message]))
  const entering = queued.filter(({ inboxId }) => rewritten.has(inboxId))
  const dropped = new Set(queued.filter(({ inboxId }) => !rewritten.has(inboxId)))
  if (!meets(need, entering)) {
    inbox.apply(inbox.removal(item => (dropped.has(item) ? 'discarded' : undefined)))
    return gone(step)
  }
  const added = (entry.added ?? []).map(message =>
    userMessage(loop.newId(), { kind: 'plugin', name: 'pre-step' }, message),
  )
  session.appendAll([
    ...inbox.removal(item => {
      if (dropped.has(item)) return 'discarded'
      return entering.includes(item) ? 'committed' : undefined
    }),
    { type: 'step/start', data: scope },
    ...entering.map(item => inputDraft(item, rewritten.get(item.inboxId))),
    ...added.map((message): EventDraft => ({ type: 'user/message', data: { message }, surfaceOp: 'append' })),
  ])
  turn.tookInput = true
  return 'entered'
}

/** What a step came to. */
export interface StepResult {
  readonly calls: number
  /** A call asked for the turn to end. */
  readonly concluded: boolean
}

/** The model's answer and the calls it asks for, up to `step/end`, which follows whatever happens. */
export async function runStep(step: Step): Promise<StepResult> {
  const { session } = step.turn.loop
  try {
    const calls = await askModel(step)
    const concluded = calls.length > 0 && (await runToolBatch(step, calls))
    return { calls: calls.length, concluded }
  } finally {
    session.append('step/end', step.scope)
  }
}

function meets(need: StepNeed, input: readonly QueuedInput[]): boolean {
  if (need === 'nothing') return true
  return need === 'any-input' ? input.length > 0 : input.some(isFromUser)
}

function gone({ turn }: Step): StepEntered {
  turn.tookInput = true
  return 'empty'
}

/** Identity and source are the queue's; only the content may be a hook's. */
function inputDraft({ inboxId, message }: QueuedInput, rewritten: UserMessage | undefined): EventDraft {
  const content = rewritten === undefined ? message.content : inputBlocks(rewritten.content)
  return {
    type: 'user/message',
    data: { message: { ...message, content }, inboxId },
    surfaceOp: 'append',
  }
}
