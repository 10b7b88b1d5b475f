import { rows, tagged, validArguments, variety, wrongArguments } from './payloads.js'
import type { Peer, Subject } from './peer.js'

/** Throws unless the peer gives the right verdict on every payload: a fast wrong answer is no result. */
export function assertAgreement(peer: Peer): void {
  assertErrors(peer, 'arguments', { payload: validArguments, errors: 0 })
  assertErrors(peer, 'arguments', { payload: wrongArguments, errors: 3 })
  assertErrors(peer, 'rows', { payload: rows, errors: 0 })
  assertErrors(peer, 'tagged', { payload: tagged, errors: 0 })
}

interface Expectation {
  readonly payload: (index: number) => unknown
  /** A peer may report one mistake more than once, never less. */
  readonly errors: number
}

function assertErrors(peer: Peer, subject: Subject, { payload, errors }: Expectation): void {
  const checker = peer.compile(subject)
  for (let index = 0; index < variety; index++) {
    const value = payload(index)
    const valid = checker.check(value)
    const found = checker.errors(value)
    if (valid !== (errors === 0) || valid !== (found === 0) || found < errors) {
      throw new Error(
        `${peer.name}: expected ${errors} errors in ${subject}, found ${found}, in ${JSON.stringify(value).slice(0, 200)}`,
      )
    }
  }
}
