import { describe, expect, it } from 'vitest'
import {
  initialState,
  nextStepTarget,
  transition,
  type DriverCommand,
  type DriverEvent,
  type DriverState,
} from './phase.js'

/** An input in the model inbox. `owed`: it woke the driver, and neither a cancel nor a failed turn has answered that. */
interface ModelInput {
  readonly owed: boolean
  readonly quiet: boolean
}

/** The machine together with the world it drives: the inbox, and the live activity. */
interface World {
  readonly driver: DriverState
  readonly inbox: readonly ModelInput[]
  readonly activity: 'none' | 'turn' | 'turn-took' | 'job'
  /** How many of the inputs were there when the live turn started. */
  readonly seen: number
  readonly aborts: number
  readonly waiting: boolean
}

type Move =
  | 'followup'
  | 'inject'
  | 'withdraw'
  | 'cancel'
  | 'cancel-keep'
  | 'job'
  | 'dispose'
  | 'when-idle'
  | 'take'
  | 'settle'

const moves: readonly Move[] = [
  'followup',
  'inject',
  'withdraw',
  'cancel',
  'cancel-keep',
  'job',
  'dispose',
  'when-idle',
  'take',
  'settle',
]
const maxInputs = 3
const maxJobs = 2

const start: World = { driver: initialState, inbox: [], activity: 'none', seen: 0, aborts: 0, waiting: false }

function apply(world: World, event: DriverEvent): World {
  const { state, commands } = transition(world.driver, event)
  return commands.reduce(carryOut, { ...world, driver: state })
}

function carryOut(world: World, command: DriverCommand): World {
  switch (command.type) {
    case 'start-turn':
    case 'start-job':
      expect(world.activity, 'P1: a second activity').toBe('none')
      return {
        ...world,
        activity: command.type === 'start-turn' ? 'turn' : 'job',
        seen: world.inbox.length,
        aborts: 0,
      }
    case 'abort':
      expect(world.activity, 'an abort of nothing').not.toBe('none')
      expect(world.aborts, 'P5: aborted twice').toBe(0)
      return { ...world, aborts: 1 }
    case 'rest':
      expect(world.activity, 'rest while something is live').toBe('none')
      return { ...world, waiting: false }
    case 'refuse-jobs':
      return world
  }
}

function move(world: World, name: Move): World | undefined {
  switch (name) {
    case 'followup': {
      if (world.inbox.length === maxInputs || world.driver.disposed) return undefined
      // Classified before insertion (P3); a turn that this starts sees the input.
      const woken = apply(world, { type: 'wake' })
      const started = world.activity === 'none'
      const inbox = [...world.inbox, { owed: true, quiet: false }]
      return { ...woken, inbox, seen: started ? inbox.length : woken.seen }
    }
    case 'inject':
      if (world.inbox.length === maxInputs || world.driver.disposed) return undefined
      return { ...world, inbox: [...world.inbox, { owed: false, quiet: true }] }
    case 'withdraw':
      if (world.inbox.length === 0) return undefined
      return { ...world, inbox: world.inbox.slice(1), seen: Math.max(0, world.seen - 1) }
    case 'cancel':
      return { ...apply(world, { type: 'cancel', cause: { kind: 'user' } }), inbox: [], seen: 0 }
    case 'cancel-keep': {
      const cancelled = apply(world, { type: 'cancel', cause: { kind: 'user' } })
      return { ...cancelled, inbox: world.inbox.map(input => ({ ...input, owed: false })) }
    }
    case 'job':
      return world.driver.jobs === maxJobs ? undefined : apply(world, { type: 'job' })
    case 'dispose':
      return apply(world, { type: 'dispose' })
    case 'when-idle':
      return world.driver.phase === 'idle' ? undefined : { ...world, waiting: true }
    case 'take':
      if (world.activity !== 'turn' || world.driver.cancelled || world.inbox.length === 0) return undefined
      return { ...world, activity: 'turn-took', inbox: world.inbox.slice(1), seen: world.seen - 1 }
    case 'settle': {
      if (world.activity === 'none') return undefined
      const tookInput = world.activity === 'turn-took'
      const failed = world.activity === 'turn' && world.driver.cancelled === undefined
      const inbox = failed
        ? world.inbox.map((input, index) => (index < world.seen ? { ...input, owed: false } : input))
        : world.inbox
      const pending = inbox.some(input => !input.quiet)
      return apply({ ...world, activity: 'none', inbox }, { type: 'settled', tookInput, pending })
    }
  }
}

function explore(): ReadonlyMap<string, World> {
  const seen = new Map<string, World>([[JSON.stringify(start), start]])
  for (const world of seen.values()) {
    for (const name of moves) {
      const next = move(world, name)
      if (next !== undefined) seen.set(JSON.stringify(next), seen.get(JSON.stringify(next)) ?? next)
    }
  }
  return seen
}

describe('every reachable state of the driver', () => {
  const worlds = [...explore().values()]

  it('is explored, in every phase, cancelled or not, latched or not', () => {
    const kinds = new Set(
      worlds.map(({ driver }) => `${driver.phase} ${driver.cancelled?.kind ?? 'live'} ${driver.latched}`),
    )
    expect(kinds.size).toBe(1 + 2 * (2 + 2 + 1))
    expect(worlds.length).toBeGreaterThan(500)
  })

  it('P1: matches the one activity that is live', () => {
    const expected = { none: 'idle', turn: 'running', 'turn-took': 'running', job: 'maintenance' } as const
    for (const world of worlds) expect(world.driver.phase).toBe(expected[world.activity])
  })

  it('P2: never rests while input is owed a turn', () => {
    for (const { driver, inbox } of worlds) {
      if (driver.phase === 'idle' && !driver.disposed) {
        expect(inbox.filter(input => input.owed)).toEqual([])
      }
    }
  })

  it('P2: owed input is driven once the live activity settles, whatever that came to', () => {
    for (const world of worlds) {
      const owed = world.inbox.some((input, index) => input.owed && index >= world.seen)
      if (!owed || world.driver.disposed || world.activity === 'none') continue
      const next = settleAll(world, 'turn')
      expect(next.driver.phase, JSON.stringify(world)).toBe('running')
    }
  })

  it('P4: a turn that failed before it took its input is not repeated by itself', () => {
    for (const world of worlds) {
      if (world.activity !== 'turn' || world.seen < world.inbox.length || world.driver.latched) continue
      expect(settleAll(world, 'turn').driver.phase, JSON.stringify(world)).toBe('idle')
    }
  })

  it('P5: a second cancel changes nothing that is live', () => {
    for (const { driver } of worlds) {
      if (driver.cancelled === undefined) continue
      const again = transition(driver, { type: 'cancel', cause: { kind: 'parent' } })
      expect(again.commands).toEqual([])
      expect(again.state.cancelled).toEqual(driver.cancelled)
    }
  })

  it('P3: a turn starts uncancelled and with its latch clear', () => {
    for (const world of worlds) {
      const { state, commands } = transition(world.driver, {
        type: 'settled',
        tookInput: true,
        pending: true,
      })
      if (!commands.some(({ type }) => type === 'start-turn')) continue
      expect(state.cancelled).toBeUndefined()
      expect(state.latched).toBe(false)
    }
  })

  it('P6: disposed starts nothing more', () => {
    for (const { driver } of worlds) {
      if (!driver.disposed) continue
      expect(driver.latched).toBe(false)
      const events: readonly DriverEvent[] = [
        { type: 'wake' },
        { type: 'job' },
        { type: 'settled', tookInput: true, pending: true },
      ]
      for (const event of events) {
        for (const { type } of transition(driver, event).commands) expect(type).not.toMatch(/^start-/)
      }
    }
  })

  it('P7: whenIdle resolves from every state once nobody asks for more', () => {
    for (const world of worlds) {
      let next: World = { ...world, waiting: world.driver.phase !== 'idle' }
      for (let round = 0; next.driver.phase !== 'idle'; round++) {
        expect(round, JSON.stringify(world)).toBeLessThan(20)
        next = move(move(next, 'take') ?? next, 'settle') ?? next
      }
      expect(next.waiting).toBe(false)
      expect(next.activity).toBe('none')
    }
  })
})

/** Settles what is live, without taking input, and then every job that waits before the next turn. */
function settleAll(world: World, until: World['activity']): World {
  let next = move(world, 'settle') ?? world
  while (next.activity === 'job' && next.activity !== until) next = move(next, 'settle') ?? next
  return next
}

describe('input while a turn is being cancelled', () => {
  const running = transition(initialState, { type: 'wake' }).state
  const cancelled = transition(running, { type: 'cancel', cause: { kind: 'user' } }).state

  it('P3: goes to the next turn, and is driven by a new one', () => {
    expect(nextStepTarget(running)).toBe('next-step')
    expect(nextStepTarget(cancelled)).toBe('next-turn')
    const woken = transition(cancelled, { type: 'wake' }).state
    const settled = transition(woken, { type: 'settled', tookInput: false, pending: true })
    expect(settled.commands).toEqual([{ type: 'start-turn' }])
  })

  it('P3: a latch without input, or input without a latch, starts nothing', () => {
    const woken = transition(cancelled, { type: 'wake' }).state
    const empty = transition(woken, { type: 'settled', tookInput: false, pending: false })
    expect(empty.commands).toEqual([{ type: 'rest' }])
    const kept = transition(cancelled, { type: 'settled', tookInput: true, pending: true })
    expect(kept.commands).toEqual([{ type: 'rest' }])
  })
})
