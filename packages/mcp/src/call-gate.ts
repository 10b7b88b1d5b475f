import { type BoundTools } from '@agent-spine/tools'

/*
 * Lets calls that arrive one by one run together where their modes allow it.
 *
 * G1. An exclusive call runs alone: it starts when nothing runs, and no call that arrived later starts before it.
 * G2. Parallel calls with one key never overlap, and start in the order they arrived; others pass them.
 * G3. At most `maxParallel` calls run at once.
 * G4. A call that is aborted while it waits leaves at once, and never runs.
 */

/** How a call may overlap with others. */
export type CallMode = ReturnType<BoundTools['mode']>

interface Ticket {
  readonly mode: CallMode
  readonly start: () => void
}

/** The calls of one server that run and that wait. */
export class CallGate {
  readonly #maxParallel: number
  readonly #running = new Set<Ticket>()
  readonly #waiting = new Set<Ticket>()

  constructor(maxParallel: number) {
    this.#maxParallel = maxParallel
  }

  /** Runs `body` when its turn has come and answers what it answers; `undefined` if the signal aborts before. */
  async run<Result>(
    mode: CallMode,
    signal: AbortSignal,
    body: () => Promise<Result>,
  ): Promise<Result | undefined> {
    const ticket = await this.#turn(mode, signal)
    if (!ticket) return undefined
    try {
      return await body()
    } finally {
      this.#running.delete(ticket)
      this.#startWaiting()
    }
  }

  #turn(mode: CallMode, signal: AbortSignal): Promise<Ticket | undefined> {
    if (signal.aborted) return Promise.resolve(undefined)
    return new Promise(resolve => {
      const leave = () => {
        this.#waiting.delete(ticket)
        resolve(undefined)
        this.#startWaiting()
      }
      const ticket: Ticket = {
        mode,
        start: () => {
          signal.removeEventListener('abort', leave)
          resolve(ticket)
        },
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#waiting.add(ticket)
      this.#startWaiting()
    })
  }

  #startWaiting(): void {
    for (const ticket of [...this.#waiting]) {
      if (this.#running.size >= this.#maxParallel) return
      const { mode } = ticket
      if (mode.kind === 'exclusive' ? this.#running.size > 0 : this.#isExclusiveRunning()) return
      if (mode.kind === 'parallel' && mode.key !== undefined && this.#isKeyRunning(mode.key)) continue
      this.#waiting.delete(ticket)
      this.#running.add(ticket)
      ticket.start()
    }
  }

  #isExclusiveRunning(): boolean {
    return [...this.#running].some(({ mode }) => mode.kind === 'exclusive')
  }

  #isKeyRunning(key: string): boolean {
    return [...this.#running].some(({ mode }) => mode.kind === 'parallel' && mode.key === key)
  }
}
