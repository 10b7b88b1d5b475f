import { notJson, rows, smallJson, tagged, validArguments, variety, wrongArguments } from './payloads.js'
import { inspect } from 'node:util'
import type { Peer, Subject } from './peer.js'

/** Throws unless the peer gives the right verdict on every payload: a fast wrong answer is no result. */
export function assertAgreement(peer: Peer): void {
  if (peer.failure !== undefined) return
  assertErrors(peer, 'arguments', { payload: validArguments, errors: 0 })
  assertErrors(peer, 'arguments', { payload: wrongArguments, errors: 3 })
  assertErrors(peer, 'rows', { payload: rows, errors: 0 })
  assertErrors(peer, 'tagged', { payload: tagged, errors: 0 })
  assertErrors(peer, 'json', { payload: smallJson, errors: 0 })
  assertLooksInside(peer)
}

/** Nobody may be fast on any JSON by taking everything. A peer may throw at what is not JSON. */
function assertLooksInside(peer: Peer): void {
  const { check } = peer.compile('json')
  for (let index = 0; index < variety; index++) {
    const value = notJson(index)
    let valid: boolean
    try {
      valid = check(value)
    } catch {
      valid = false
    }
    if (valid) throw new Error(`${peer.name}: expected ${inspect(value)} to be refused`)
  }
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
        `${peer.name}: expected ${errors} errors in ${subject}, found ${found}, in ${inspect(value)}`,
      )
    }
  }
}
