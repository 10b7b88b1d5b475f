import { type Awaitable } from '@agent-spine/scheduler'
import { type Batch } from './batch.js'
import { type AdmittedExecution, checkedCall } from './execution.js'
import { type CheckedCall } from './hooks.js'
import { describeThrown } from './thrown.js'
import { type Limited, withinLimit } from './within-limit.js'

/*
 * Asks everyone who may refuse a call. Everything here fails closed:
 *
 * P1. A call is allowed only if every hook answered exactly `allow` or `ask`, every guard answered exactly `undefined`,
 *     and, where a hook asked, the approver answered exactly `allow`.
 * P2. A throw, an answer of another shape and no answer within the limit all deny.
 * P3. After an abort the answer is `aborted`, whatever was decided before; nobody else is asked.
 * P4. The approver is asked last, so nobody is bothered about a call that policy refuses anyway.
 */

/** Whether a call may run. */
export type Permission =
  { readonly kind: 'allow' | 'aborted' } | { readonly kind: 'deny'; readonly reason: string }

const allow: Permission = { kind: 'allow' }

/** Asks hooks, then guards, then the approver. Answers at once where there is nobody to ask. */
export function permit(
  batch: Batch,
  execution: AdmittedExecution,
  signal: AbortSignal,
): Awaitable<Permission> {
  if (signal.aborted) return { kind: 'aborted' }
  const asksNobody = batch.guards.length === 0 && batch.hooks.every(hook => hook.preExecute === undefined)
  return asksNobody ? allow : askEveryone(batch, checkedCall(execution, signal))
}

async function askEveryone(batch: Batch, call: CheckedCall): Promise<Permission> {
  const { signal } = call
  const limits = { limitMs: batch.hookLimitMs, startTimer: batch.startTimer, signal }
  const reasons: string[] = []
  for (const hook of batch.hooks) {
    if (!hook.preExecute) continue
    const answer = await withinLimit<unknown>(() => hook.preExecute?.(call), limits)
    const decision = readPreDecision(answer)
    if (decision.kind === 'ask') reasons.push(decision.reason)
    else if (decision.kind !== 'allow') return decision
  }
  for (const guard of batch.guards) {
    const answer = await withinLimit<unknown>(() => guard(call), limits)
    const decision = readGuardDecision(answer)
    if (decision.kind !== 'allow') return decision
  }
  if (reasons.length === 0) return signal.aborted ? { kind: 'aborted' } : allow
  const { approve } = batch
  if (!approve) return deny(`it needs approval, and nobody can give it (${reasons.join('; ')})`)
  const answer = await withinLimit<unknown>(() => approve({ call, reasons }), {
    ...limits,
    limitMs: batch.approvalLimitMs,
  })
  return readApproval(answer)
}

function readPreDecision(answer: Limited<unknown>): Permission | { kind: 'ask'; reason: string } {
  return readAnswer(answer, 'a policy hook', ({ kind, reason }) => {
    if (kind === 'allow') return allow
    if (kind === 'ask') return { kind: 'ask', reason: asReason(reason, 'a hook asked for approval') }
    return kind === 'deny' ? deny(asReason(reason, 'no reason was given')) : undefined
  })
}

function readGuardDecision(answer: Limited<unknown>): Permission {
  if (answer.kind === 'value' && answer.value === undefined) return allow
  return readAnswer(answer, 'a guard', ({ kind, reason }) =>
    kind === 'deny' ? deny(asReason(reason, 'no reason was given')) : undefined,
  )
}

function readApproval(answer: Limited<unknown>): Permission {
  return readAnswer(answer, 'the approver', ({ kind, reason }) => {
    if (kind === 'allow') return allow
    return kind === 'deny' ? deny(asReason(reason, 'approval was refused')) : undefined
  })
}

interface Decision {
  readonly kind?: unknown
  readonly reason?: unknown
}

/** Reads what foreign code answered; `undefined` from `read` means that it is no decision. */
function readAnswer<Answer>(
  answer: Limited<unknown>,
  who: string,
  read: (decision: Decision) => Answer | undefined,
): Answer | Permission {
  switch (answer.kind) {
    case 'aborted':
      return { kind: 'aborted' }
    case 'expired':
      return deny(`${who} did not answer in time`)
    case 'threw':
      return deny(`${who} failed (${describeThrown(answer.error).message})`)
    case 'value':
      return readDecision(answer.value, read) ?? deny(`${who} gave no decision that can be understood`)
  }
}

function readDecision<Answer>(
  value: unknown,
  read: (decision: Decision) => Answer | undefined,
): Answer | undefined {
  try {
    return typeof value === 'object' && value !== null ? read(value) : undefined
  } catch {
    return undefined
  }
}

function asReason(reason: unknown, otherwise: string): string {
  return typeof reason === 'string' && reason.trim() !== '' ? reason : otherwise
}

function deny(reason: string): Permission {
  return { kind: 'deny', reason }
}
