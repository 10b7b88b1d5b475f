import type { FakeClock } from './fake-clock.js'
import type { Random } from './random.js'

/** What everything in one scenario shares. */
export interface World {
  readonly random: Random
  readonly clock: FakeClock
  /** How likely each kind of trouble is, in percent. All are 0 once the scenario is to come to rest. */
  readonly trouble: Trouble
  /** A moment at which anybody may do anything to the agent. */
  readonly meddle: () => void
  /** The signal that outlives every turn. */
  readonly parent: AbortSignal
  /** The signals of turns, as the model and the bodies get them. */
  readonly signals: Set<AbortSignal>
  /** Bodies that run, however long ago they were given up. */
  readonly bodies: { running: number }
}

export interface Trouble {
  store: number
  stages: number
  model: number
  malformed: number
  hooks: number
  tools: number
  cancel: number
  meddling: number
}

/** Sleeps for a while, or not at all. */
export async function linger({ random, clock }: World): Promise<void> {
  if (random.chance(40)) await clock.sleep(random.below(30))
}
