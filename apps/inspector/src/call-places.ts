import type { CallSpan } from './call-spans.js'

/** Calls by where they are drawn. */
export interface CallPlaces {
  /** They held a place of the pool. */
  readonly slots: readonly CallSpan[]
  /** The model asked for them, and they never held one. */
  readonly unstarted: readonly CallSpan[]
  /** The bodies of other calls made them. */
  readonly nested: readonly CallSpan[]
}

export function callPlaces(calls: readonly CallSpan[]): CallPlaces {
  const top = calls.filter(({ parentCallId }) => parentCallId === undefined)
  return {
    slots: top.filter(({ isStarted }) => isStarted),
    unstarted: top.filter(({ isStarted }) => !isStarted),
    nested: calls.filter(({ parentCallId }) => parentCallId !== undefined),
  }
}
