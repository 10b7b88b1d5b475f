import type { Plant } from './witnessed-store.js'

/** What a victim is told to do. */
export interface VictimOrders {
  readonly directory: string
  readonly seed: number
  /** Counts the victims of one session. */
  readonly run: number
  /** Finish what is open, take no new input, and end. */
  readonly finish: boolean
  readonly plant?: Plant
}

/** The session that all victims of one directory work on. */
export const sessionId = 'victim'
