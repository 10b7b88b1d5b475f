import type { AbortCause } from '@agent-spine/session'
import type { Agent, Receipt } from '../src/index.js'
import { linger, type World } from './world.js'

/** What was done to an agent from outside, and what is still owed for it. */
export interface Meddler {
  readonly meddle: () => void
  readonly receipts: Receipt[]
  /** Promises of the agent's that have not settled. */
  readonly owed: Set<string>
  readonly breaches: string[]
  readonly disposed: () => boolean
  /** Input that no cancel came after, and that woke the agent. */
  readonly wakes: () => readonly Receipt[]
  /** Waits for a promise of the agent's under that name. */
  readonly owe: (name: string, promise: Promise<unknown>) => void
}

const causes: readonly [AbortCause, ...AbortCause[]] = [
  { kind: 'user' },
  { kind: 'hook', reason: 'enough' },
  { kind: 'parent' },
]

/** Does anything to the agent, from wherever it is called: inside observers, hooks, bodies and flushes too. */
export function createMeddler(world: () => World, agent: () => Agent, parent: AbortController): Meddler {
  const receipts: Receipt[] = []
  const owed = new Set<string>()
  const breaches: string[] = []
  let wakes: Receipt[] = []
  let voids = 0
  let budget = 12
  let promises = 0
  let disposed = false

  function owe(name: string, promise: Promise<unknown>): void {
    const key = `${name} ${promises++}`
    owed.add(key)
    const settle = (): void => void owed.delete(key)
    promise.then(settle, settle)
  }

  function wake(give: () => Receipt): void {
    const before = voids
    const receipt = give()
    receipts.push(receipt)
    if (voids === before) wakes.push(receipt)
  }

  /** What woke the agent so far need not be answered any more. */
  function voidWakes(): void {
    voids++
    wakes = []
  }

  function cancel(): void {
    voidWakes()
    const { discarded, done } = agent().cancel(world().random.pick(causes), {
      keepInbox: world().random.chance(30),
    })
    owe('the end of what was cancelled', done)
    for (const { id } of discarded) {
      const receipt = receipts.find(given => given.id === id)
      if (receipt !== undefined && receipt.state !== 'discarded') {
        breaches.push(`cancel() answers that it discarded ${id}, whose receipt says ${receipt.state}`)
      }
    }
  }

  function act(): void {
    const { random } = world()
    switch (random.below(14)) {
      case 0:
      case 1:
        wake(() => agent().steer('steer'))
        return
      case 2:
        wake(() => agent().followup('follow up'))
        return
      case 3:
        receipts.push(agent().inject('inject'))
        return
      case 4:
        receipts.push(agent().inject('inject', { plugin: 'fuzz' }))
        return
      case 5:
        owe('a prompt', agent().prompt('prompt'))
        return
      case 6:
        if (receipts.length > 0) receipts[random.below(receipts.length)]?.withdraw()
        return
      case 7:
        owe(
          'a job',
          agent().runMaintenance(() => linger(world())),
        )
        return
      case 8:
        if (!random.chance(10)) return
        voidWakes()
        parent.abort()
        return
      case 9:
        if (!random.chance(15)) return
        disposed = true
        voidWakes()
        owe('the disposal', agent().dispose())
        return
      default:
        if (random.chance(world().trouble.cancel)) cancel()
    }
  }

  /** At once, or some microtasks later: between any two things that follow each other without an event. */
  async function soon(microtasks: number): Promise<void> {
    for (let left = microtasks; left > 0; left--) await Promise.resolve()
    try {
      act()
    } catch {
      // The log did not take it, and whoever asked was told so.
    }
  }

  return {
    receipts,
    owed,
    breaches,
    disposed: () => disposed,
    wakes: () => wakes,
    owe,
    meddle() {
      if (budget === 0 || !world().random.chance(world().trouble.meddling)) return
      budget--
      void soon(world().random.below(4))
    },
  }
}
