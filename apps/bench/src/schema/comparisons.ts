import type { Candidate, Comparison } from '../measure.js'
import { rows, tagged, validArguments, wrongArguments } from './payloads.js'
import type { Peer } from './peer.js'
import { agentSpine, agentSpineParsed } from './peers/agent-spine.js'
import { ajv } from './peers/ajv.js'
import { arktype } from './peers/arktype.js'
import { byHand } from './peers/by-hand.js'
import { cfworker } from './peers/cfworker.js'
import { typebox } from './peers/typebox.js'
import { valibot } from './peers/valibot.js'
import { zod, zodJitless } from './peers/zod.js'

export const peers = [
  agentSpine,
  agentSpineParsed,
  ajv,
  byHand,
  zod,
  zodJitless,
  valibot,
  typebox,
  arktype,
  cfworker,
]

function compare(title: string, run: (peer: Peer) => Candidate['run'], among = peers): Comparison {
  return {
    title,
    reference: 'ajv',
    candidates: among.map(peer => ({
      name: peer.name,
      run: run(peer),
      ...(peer.note !== undefined && { note: peer.note }),
    })),
  }
}

/** Everything `bench schema` compares. Every peer is asked for all errors, not for the first. */
export function schemaComparisons(): Comparison[] {
  return [
    compare('A valid argument object of five properties', peer => {
      const { check } = peer.compile('arguments')
      return index => check(validArguments(index))
    }),
    compare('An argument object with three errors, all reported', peer => {
      const { errors } = peer.compile('arguments')
      return index => errors(wrongArguments(index))
    }),
    compare('200 valid rows of six fields', peer => {
      const { check } = peer.compile('rows')
      return index => check(rows(index))
    }),
    compare('A valid member of a ten-branch tagged union', peer => {
      const { check } = peer.compile('tagged')
      return index => check(tagged(index))
    }),
    compare(
      'Compile a small schema and check once',
      peer => index => peer.compile('arguments').check(validArguments(index)),
      peers.filter(peer => peer !== byHand),
    ),
  ]
}
