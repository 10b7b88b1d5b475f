import { HarnessError } from '@agent-spine/schema'
import type { AbortCause } from '@agent-spine/session'
import { initialState, transition, type DriverCommand, type DriverEvent, type DriverState } from './phase.js'

/** A piece of work between turns. */
interface Job {
  run(signal: AbortSignal): Promise<void>
  refuse(error: HarnessError): void
}

/** What a driver drives. */
export interface Driven {
  /** Resolves, never rejects, with whether the turn took input. */
  runTurn(signal: AbortSignal): Promise<boolean>
  /** Whether the inbox holds input that may start a turn. */
  startsTurn(): boolean
  /** The phase changed. */
  onPhase(phase: DriverState['phase']): void
  /** An activity settled; `resting`: nothing follows it by itself. */
  onSettled(settled: { readonly resting: boolean; readonly cancelled: AbortCause | undefined }): void
  /** While it is aborted, no activity lives. */
  readonly parent: AbortSignal | undefined
  onParentAbort(): void
}

/** Carries out the commands of `phase.ts`: owns the live activity, its controller, and those who wait for its end. */
export class Driver {
  readonly #driven: Driven
  readonly #jobs: Job[] = []
  #state = initialState
  #controller: AbortController | undefined
  #activity: Promise<void> = Promise.resolve()
  #idleWaiters: (() => void)[] = []

  constructor(driven: Driven) {
    this.#driven = driven
  }

  get state(): DriverState {
    return this.#state
  }

  /** Resolves once the activity that is live now has settled. */
  get activity(): Promise<void> {
    return this.#activity
  }

  whenIdle(): Promise<void> {
    if (this.#state.phase === 'idle') return Promise.resolve()
    return new Promise(resolve => this.#idleWaiters.push(resolve))
  }

  /** Runs `job` alone, at the next boundary between turns. */
  runJob<T>(job: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#jobs.push({
        run: signal => Promise.resolve(signal).then(job).then(resolve, reject),
        refuse: reject,
      })
      this.dispatch({ type: 'job' })
    })
  }

  dispatch(event: DriverEvent): void {
    const before = this.#state
    const { state, commands } = transition(before, event)
    this.#state = state
    if (event.type === 'settled') {
      const resting = commands.some(({ type }) => type === 'rest')
      this.#driven.onSettled({ resting, cancelled: before.cancelled })
    }
    for (const command of commands) this.#carryOut(command)
    if (state.phase !== before.phase) this.#driven.onPhase(state.phase)
  }

  #carryOut(command: DriverCommand): void {
    switch (command.type) {
      case 'start-turn':
        this.#start(async signal => {
          // The input may have been withdrawn, or the turn cancelled, before it began.
          if (signal.aborted || !this.#driven.startsTurn()) return false
          return this.#driven.runTurn(signal)
        })
        return
      case 'start-job':
        this.#start(async signal => {
          await this.#jobs.shift()?.run(signal)
          return false
        })
        return
      case 'abort':
        this.#controller?.abort(new DOMException(abortMessage(command.cause), 'AbortError'))
        return
      case 'refuse-jobs':
        for (const job of this.#jobs.splice(0)) job.refuse(disposedError())
        return
      case 'rest':
        for (const resolve of this.#idleWaiters.splice(0)) resolve()
        return
    }
  }

  /** A microtask later, so that whoever woke the driver has its receipt before anything happens. */
  #start(run: (signal: AbortSignal) => Promise<boolean>): void {
    const { signal } = (this.#controller = new AbortController())
    const { parent } = this.#driven
    const onParentAbort = (): void => this.#driven.onParentAbort()
    parent?.addEventListener('abort', onParentAbort, { once: true })
    this.#activity = Promise.resolve(signal)
      .then(run)
      .then(tookInput => {
        parent?.removeEventListener('abort', onParentAbort)
        this.dispatch({ type: 'settled', tookInput, pending: this.#driven.startsTurn() })
      })
    if (parent?.aborted === true) onParentAbort()
  }
}

function abortMessage(cause: AbortCause): string {
  return cause.kind === 'hook' ? `cancelled: ${cause.reason}` : `cancelled (${cause.kind})`
}

function disposedError(): HarnessError {
  return new HarnessError('AGENT_DISPOSED', 'the agent was disposed of: create another one on the session')
}
