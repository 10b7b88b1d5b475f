import type { UserMessage } from '@agent-spine/model'
import type { QueuedInput, SessionEvent } from '@agent-spine/session'
import type { Evidence } from './evidence.js'
import type { Fault } from './faults.js'

/** Where the log has an input: in a queue, in the conversation, or given back. */
interface Places {
  readonly queued: number
  readonly committed: number
  readonly givenBack: number
}

/** Every input that was promised to be durable is in exactly one place; no input is in more than one. */
export function checkInputs(log: readonly SessionEvent[], evidence: readonly Evidence[]): Fault[] {
  const places = findInputs(log)
  const faults: Fault[] = []
  for (const item of evidence) {
    if (item.kind === 'input' && !places.has(item.text)) {
      faults.push({ column: 'inputsLost', message: `${item.text} is nowhere` })
    }
  }
  for (const [text, { queued, committed, givenBack }] of places) {
    const sum = queued + committed + givenBack
    const found = `${text}: ${queued} in the queue, ${committed} in the conversation, ${givenBack} given back`
    if (sum === 0) faults.push({ column: 'inputsLost', message: found })
    if (sum > 1) faults.push({ column: 'inputsDoubled', message: found })
  }
  return faults
}

/** What nobody has taken yet. */
export function countQueued(log: readonly SessionEvent[]): number {
  return [...findInputs(log).values()].reduce((sum, { queued }) => sum + queued, 0)
}

function findInputs(log: readonly SessionEvent[]): Map<string, Places> {
  const places = new Map<string, Places>()
  const queues = { 'next-turn': [] as QueuedInput[], 'next-step': [] as QueuedInput[] }

  function move(message: UserMessage, change: Partial<Places>): void {
    const { queued, committed, givenBack } = places.get(textOf(message)) ?? nowhere
    places.set(textOf(message), {
      queued: queued + (change.queued ?? 0),
      committed: committed + (change.committed ?? 0),
      givenBack: givenBack + (change.givenBack ?? 0),
    })
  }

  for (const event of log) {
    if (event.type === 'user/message') move(event.data.message, { committed: 1 })
    if (event.type !== 'inbox/spliced') continue
    const { target, start, removed, inserted, outcome } = event.data
    const taken = queues[target].splice(start, removed.length, ...inserted)
    for (const { message } of inserted) move(message, { queued: 1 })
    for (const { message } of taken) move(message, { queued: -1, givenBack: outcome === 'committed' ? 0 : 1 })
  }
  return places
}

const nowhere: Places = { queued: 0, committed: 0, givenBack: 0 }

function textOf({ content }: UserMessage): string {
  return content.map(block => (block.type === 'text' ? block.text : '')).join('')
}
