import { auditLog, classifyLog, legalityProblems, type LegalityProfile } from '@agent-spine/invariant'
import { repairLog } from '@agent-spine/repair'
import { deriveMessages, type InboxSplice, type SessionEvent } from '@agent-spine/session'
import type { Receipt } from '../src/index.js'

const profiles: readonly LegalityProfile[] = ['openai', 'anthropic', 'gemini', 'strict']

/** How a log breaks the one law, in words: its repair breaks a relation, or is a conversation that a provider refuses. */
export function lawBreaches(events: readonly SessionEvent[]): string[] {
  const repaired = repairLog(events)
  const messages = deriveMessages(repaired)
  return [
    ...auditLog(repaired).map(({ code, seq, message }) => `${code} at seq ${seq}: ${message}`),
    ...classifyLog(repaired).open.map(({ code, seq }) => `${code} at seq ${seq}, after repair`),
    ...profiles.flatMap(profile =>
      legalityProblems(messages, profile).map(({ code, message }) => `${profile}: ${code}: ${message}`),
    ),
  ]
}

/** What an agent that went on to the end left open, beside breaches of the law. */
export function openWork(events: readonly SessionEvent[]): string[] {
  return classifyLog(events).open.map(({ code, seq }) => `${code} at seq ${seq}, at rest`)
}

/**
 * How input was lost or doubled: everything queued left the queue at most once, what was committed became one message,
 * nothing else did, and every receipt says what the log says.
 */
export function inputBreaches(events: readonly SessionEvent[], receipts: readonly Receipt[]): string[] {
  const fates = new Map<string, InboxSplice['outcome'] | 'queued'>()
  const messages = new Map<string, number>()
  const breaches: string[] = []
  for (const event of events) {
    if (event.type === 'user/message' && event.data.inboxId !== undefined) {
      messages.set(event.data.inboxId, (messages.get(event.data.inboxId) ?? 0) + 1)
    }
    if (event.type !== 'inbox/spliced') continue
    for (const { inboxId } of event.data.inserted) {
      if (fates.has(inboxId)) breaches.push(`${inboxId} was queued twice`)
      fates.set(inboxId, 'queued')
    }
    for (const inboxId of event.data.removed) {
      if (fates.get(inboxId) !== 'queued') breaches.push(`${inboxId} left the queue and was not in it`)
      fates.set(inboxId, event.data.outcome)
    }
  }
  for (const [inboxId, fate] of fates) {
    const expected = fate === 'committed' ? 1 : 0
    const found = messages.get(inboxId) ?? 0
    if (found !== expected) breaches.push(`${inboxId} is ${fate} and stands in ${found} messages`)
  }
  for (const { id, state } of receipts) {
    // What a disposed agent is given never enters the log.
    const fate = fates.get(id) ?? 'discarded'
    if (fate !== state) breaches.push(`the receipt of ${id} says ${state}, the log says ${fate}`)
  }
  return breaches
}

/** The user's input that still waits. */
export function waitingInput(events: readonly SessionEvent[]): string[] {
  const waiting = new Set<string>()
  for (const event of events) {
    if (event.type !== 'inbox/spliced') continue
    for (const { inboxId, message } of event.data.inserted) {
      if (message.source.kind === 'user') waiting.add(inboxId)
    }
    for (const inboxId of event.data.removed) waiting.delete(inboxId)
  }
  return [...waiting]
}
