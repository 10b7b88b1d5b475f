import { type InboxSplice, type SessionEvent } from '@agent-spine/session'

/** Something a person said that the model has not read yet. */
export interface QueuedText {
  readonly id: string
  /** `next-step`: it enters the running turn. */
  readonly target: InboxSplice['target']
  readonly text: string
}

/** The queues that a log holds, what enters a running turn first. */
export function queuedTexts(events: readonly SessionEvent[]): readonly QueuedText[] {
  return events.reduce<readonly QueuedText[]>(afterEvent, [])
}

/** The queues after one more event. */
export function afterEvent(queued: readonly QueuedText[], event: SessionEvent): readonly QueuedText[] {
  if (event.type !== 'inbox/spliced') return queued
  const { target, start, removed, inserted } = event.data
  const others = queued.filter(entry => entry.target !== target)
  const added = inserted.map(({ inboxId, message }) => ({ id: inboxId, target, text: textOf(message) }))
  const edited = queued.filter(entry => entry.target === target).toSpliced(start, removed.length, ...added)
  return target === 'next-step' ? [...edited, ...others] : [...others, ...edited]
}

/** What a message says, without its images. */
export function textOf({ content }: InboxSplice['inserted'][number]['message']): string {
  return content.map(block => (block.type === 'text' ? block.text : '')).join('')
}
