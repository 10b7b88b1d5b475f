import type { AbortCause } from '@agent-spine/session'

/**
 * What an agent is doing, and what to do next: the driver as a pure state machine. `driver.ts` carries out its commands.
 *
 * P1. At most one activity (a turn or a job) is live: one starts only from `idle`, or when the live one has settled.
 * P2. No waking input is lost: while it is in the inbox, and no cancel came after it, the driver does not rest.
 * P3. A wake that comes after a cancel is latched: its input goes to a turn of its own, with a fresh controller. A turn
 *     that starts makes every older latch stale.
 * P4. After a turn that failed before it took its input, only a wake newer than that turn drives: no retry loop.
 * P5. A live activity is aborted at most once: the first cause wins.
 * P6. A disposed driver latches nothing and starts nothing.
 * P7. Once the live activity settles and nothing more is asked for, the driver rests.
 */
export interface DriverState {
  readonly phase: 'idle' | 'running' | 'maintenance'
  /** Why the live activity was cancelled. */
  readonly cancelled?: AbortCause
  /** A wake came that no turn has answered yet. */
  readonly latched: boolean
  /** Jobs that wait for the next boundary. */
  readonly jobs: number
  readonly disposed: boolean
}

export type DriverEvent =
  | { readonly type: 'wake' | 'job' | 'dispose' }
  | { readonly type: 'cancel'; readonly cause: AbortCause }
  | {
      readonly type: 'settled'
      /** The turn took input out of the inbox, so going on cannot repeat it. False for a job. */
      readonly tookInput: boolean
      /** The inbox holds input that may start a turn. */
      readonly pending: boolean
    }

export type DriverCommand =
  | { readonly type: 'start-turn' | 'start-job' | 'refuse-jobs' | 'rest' }
  | { readonly type: 'abort'; readonly cause: AbortCause }

export interface Transition {
  readonly state: DriverState
  readonly commands: readonly DriverCommand[]
}

export const initialState: DriverState = { phase: 'idle', latched: false, jobs: 0, disposed: false }

/** Where input for the next step goes: after a cancel nothing more enters the running turn. */
export function nextStepTarget(state: DriverState): 'next-step' | 'next-turn' {
  return state.cancelled === undefined ? 'next-step' : 'next-turn'
}

export function transition(state: DriverState, event: DriverEvent): Transition {
  switch (event.type) {
    case 'wake':
      if (state.disposed) return stay(state)
      return state.phase === 'idle' ? startTurn(state) : stay({ ...state, latched: true })
    case 'job':
      if (state.disposed) return { state, commands: [{ type: 'refuse-jobs' }] }
      return state.phase === 'idle' ? startJob(state) : stay({ ...state, jobs: state.jobs + 1 })
    case 'cancel':
      return cancel({ ...state, latched: false }, event.cause)
    case 'dispose': {
      const { state: next, commands } = cancel(
        { ...state, latched: false, jobs: 0, disposed: true },
        { kind: 'disposed' },
      )
      return { state: next, commands: [...commands, { type: 'refuse-jobs' }] }
    }
    case 'settled':
      return settle(state, event)
  }
}

function settle(
  state: DriverState,
  { tookInput, pending }: { readonly tookInput: boolean; readonly pending: boolean },
): Transition {
  if (state.phase === 'idle') return stay(state)
  const goesOn = tookInput && state.cancelled === undefined
  const wanted = pending && !state.disposed && (state.latched || goesOn)
  if (state.jobs > 0) return startJob({ ...state, jobs: state.jobs - 1, latched: wanted })
  if (wanted) return startTurn(state)
  const { cancelled: _, ...rest } = state
  return { state: { ...rest, phase: 'idle', latched: false }, commands: [{ type: 'rest' }] }
}

function startTurn({ cancelled: _, ...state }: DriverState): Transition {
  return { state: { ...state, phase: 'running', latched: false }, commands: [{ type: 'start-turn' }] }
}

function startJob({ cancelled: _, ...state }: DriverState): Transition {
  return { state: { ...state, phase: 'maintenance' }, commands: [{ type: 'start-job' }] }
}

function cancel(state: DriverState, cause: AbortCause): Transition {
  if (state.phase === 'idle' || state.cancelled !== undefined) return stay(state)
  return { state: { ...state, cancelled: cause }, commands: [{ type: 'abort', cause }] }
}

function stay(state: DriverState): Transition {
  return { state, commands: [] }
}
