/** A clock that stands still until it is moved. While it is installed, the code under test has no other. */
export interface FakeClock {
  /** Resolves after `delayMs`. What waits here is the scenario's own and counts as nobody's leak. */
  sleep(delayMs: number): Promise<void>
  /** Moves on to whatever is due next, and fires it. False if nothing is. */
  advance(): boolean
  /** How many timers of the code under test run. */
  running(): number
  /** How many sleep. */
  sleeping(): number
}

interface Timer {
  readonly dueMs: number
  readonly fire: () => void
  readonly own: boolean
}

export function installFakeClock(): FakeClock {
  const timers = new Map<number, Timer>()
  let nowMs = 0
  let lastId = 0

  function start(fire: () => void, delayMs: number, own: boolean): number {
    timers.set(++lastId, { dueMs: nowMs + delayMs, fire, own })
    return lastId
  }

  Object.assign(globalThis, {
    setTimeout: (fire: () => void, delayMs = 0) => start(fire, delayMs, false),
    clearTimeout: (id: number) => void timers.delete(id),
  })

  return {
    sleep: delayMs => new Promise<void>(resolve => void start(resolve, delayMs, true)),
    advance() {
      let next: [number, Timer] | undefined
      for (const entry of timers) if (next === undefined || entry[1].dueMs < next[1].dueMs) next = entry
      if (next === undefined) return false
      timers.delete(next[0])
      nowMs = next[1].dueMs
      next[1].fire()
      return true
    },
    running: () => [...timers.values()].filter(({ own }) => !own).length,
    sleeping: () => [...timers.values()].filter(({ own }) => own).length,
  }
}
